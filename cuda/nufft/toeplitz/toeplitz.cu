#include "cuda/nufft/toeplitz/toeplitz.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab::gpu {
namespace {

struct Box {
  int x, y, z;
  __host__ __device__ std::int64_t volume() const { return std::int64_t(x) * y * z; }
};

Box box(const std::array<int, 3>& n) {
  return {n[0], n[1], n[2]};
}

struct Cell {
  int x, y, z;
  std::int64_t image;
};

__device__ __forceinline__ Cell cellAt(std::int64_t i, Box b) {
  const std::int64_t row = i / b.x, plane = row / b.y;
  return {int(i - row * b.x), int(row - plane * b.y), int(plane % b.z), plane / b.z};
}

__device__ __forceinline__ std::int64_t indexOf(int x, int y, int z, Box b) {
  return (std::int64_t(z) * b.y + y) * b.x + x;
}

// Lag of cell l of a circle of length L, or N where it is not between -(N - 1) and N - 1.
__device__ __forceinline__ int lagOf(int l, int length, int n) {
  const int lag = l < n ? l : l - length;
  return lag > -n ? lag : n;
}

// The first half of each circle along x of conj(q) times `scale`: an FFT to real numbers takes the
// other half as its mirror image. Dims: the lags of the last of them are given from 0 on; q(-l) =
// conj(q(l)) gives the others.
template <int Dims, class Psf, class Real>
__global__ void embedPsf(const Psf* psf, Complex<Real>* out, Box image, Box length, Real scale) {
  const std::int64_t i = globalThread();
  const Box half{length.x / 2 + 1, length.y, length.z};
  if (i >= half.volume()) return;
  const Cell c = cellAt(i, half);
  int lag[3] = {lagOf(c.x, length.x, image.x), lagOf(c.y, length.y, image.y), lagOf(c.z, length.z, image.z)};
  Complex<Real> v{0, 0};
  if (lag[0] < image.x && lag[1] < image.y && lag[2] < image.z) {
    const bool mirrored = lag[Dims - 1] < 0;
    const int n[3] = {image.x, image.y, image.z};
    int at[3], side[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      const bool whole = d < Dims - 1 && n[d] > 1;
      at[d] = (mirrored ? -lag[d] : lag[d]) + (whole ? n[d] : 0);
      side[d] = whole ? 2 * n[d] : n[d];
    }
    const Psf q = psf[indexOf(at[0], at[1], at[2], Box{side[0], side[1], side[2]})];
    v = {Real(q.x) * scale, Real(mirrored ? q.y : -q.y) * scale};
  }
  out[i] = v;
}

// Place of a shift among those that exist (an axis of one pixel has none). Bit d of `shift`: half a
// step along d.
__host__ __device__ int packedShift(int shift, Box length) {
  int packed = 0, bit = 1;
  const int l[3] = {length.x, length.y, length.z};
  for (int d = 0; d < 3; ++d)
    if (l[d] > 1) {
      packed += (shift >> d & 1) * bit;
      bit *= 2;
    }
  return packed;
}

// Into the 2^d interleaved grids.
template <class Real>
__global__ void splitTransfer(const Real* whole, Real* transfer, Box length, Box image) {
  const std::int64_t i = globalThread();
  if (i >= length.volume()) return;
  const Cell c = cellAt(i, length);
  const int px = length.x > 1 ? c.x & 1 : 0, py = length.y > 1 ? c.y & 1 : 0, pz = length.z > 1 ? c.z & 1 : 0;
  const int shift = packedShift(px + 2 * py + 4 * pz, length);
  transfer[shift * image.volume() + indexOf(length.x > 1 ? c.x / 2 : 0, length.y > 1 ? c.y / 2 : 0,
                                            length.z > 1 ? c.z / 2 : 0, image)] = whole[i];
}

template <class Real>
__global__ void padImages(const Complex<Real>* in, Complex<Real>* out, Box image, Box length,
                          std::int64_t batch, int* notFinite) {
  const std::int64_t i = globalThread();
  if (i >= length.volume() * batch) return;
  const Cell c = cellAt(i, length);
  Complex<Real> v{0, 0};
  if (c.x < image.x && c.y < image.y && c.z < image.z) {
    v = in[c.image * image.volume() + indexOf(c.x, c.y, c.z, image)];
    if (!isFinite(v)) *notFinite = 1;
  }
  out[i] = v;
}

template <class Real>
__global__ void cropImages(const Complex<Real>* in, Complex<Real>* out, Box image, Box length,
                           std::int64_t batch) {
  const std::int64_t i = globalThread();
  if (i >= image.volume() * batch) return;
  const Cell c = cellAt(i, image);
  out[i] = in[c.image * length.volume() + indexOf(c.x, c.y, c.z, length)];
}

template <class Real>
__global__ void multiplyTransfer(Complex<Real>* values, const Real* transfer, std::int64_t volume,
                                 std::int64_t batch) {
  const std::int64_t i = globalThread();
  if (i >= volume) return;
  const Real t = transfer[i];
  for (std::int64_t b = 0; b < batch; ++b) {
    Complex<Real>& v = values[b * volume + i];
    v.x *= t;
    v.y *= t;
  }
}

template <class Real>
struct Phases {
  const Complex<Real>* axis[3];  // null: no shift along it
};

template <class Real>
__device__ __forceinline__ Complex<Real> phaseAt(const Phases<Real>& phases, const Cell& c) {
  Complex<Real> p{1, 0};
  if (phases.axis[0]) p = phases.axis[0][c.x];
  if (phases.axis[1]) p = times(p, phases.axis[1][c.y]);
  if (phases.axis[2]) p = times(p, phases.axis[2][c.z]);
  return p;
}

template <class Real>
__global__ void modulate(const Complex<Real>* in, Complex<Real>* out, Box image, std::int64_t batch,
                         Phases<Real> phases, int* notFinite) {
  const std::int64_t i = globalThread();
  if (i >= image.volume() * batch) return;
  const Complex<Real> v = in[i];
  if (!isFinite(v)) *notFinite = 1;
  out[i] = times(v, phaseAt(phases, cellAt(i, image)));
}

template <class Real>
__global__ void demodulate(const Complex<Real>* in, Complex<Real>* out, Box image, std::int64_t batch,
                           Phases<Real> phases, bool first) {
  const std::int64_t i = globalThread();
  if (i >= image.volume() * batch) return;
  Complex<Real> p = phaseAt(phases, cellAt(i, image));
  p.y = -p.y;
  Complex<Real> v = times(in[i], p);
  if (!first) {
    v.x += out[i].x;
    v.y += out[i].y;
  }
  out[i] = v;
}

// Circular lengths, and whether our own passes make the transforms.
struct Form {
  std::array<int, 3> length{1, 1, 1};
  // True for float images whose padded lengths line_pass.h has.
  bool fused = false;
};

template <class Real>
Form formOf(int dims, const std::array<int, 3>& image, bool shifted, double alpha) {
  // alpha_T = L / N, rounded, must give L again.
  constexpr double slack = 1e-9;
  Form form;
  std::array<int, 3> minLength{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    minLength[d] = std::max(2 * image[d] - 1, int(std::ceil(alpha * image[d] * (1 - slack))));
  form.fused = std::is_same_v<Real, float> && !shifted && FusedToeplitz::serves(dims, image, minLength);
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    if (image[d] > 1)
      form.length[d] = form.fused ? FusedToeplitz::length(minLength[d])
                       : shifted  ? 2 * image[d]
                                  : int(nextFastSize(minLength[d]));
  return form;
}

template <class Real>
constexpr bool isDouble = std::is_same_v<Real, double>;

}  // namespace

template <class Real>
ToeplitzOperator<Real>::ToeplitzOperator(int dims, const std::array<int, 3>& image, std::int64_t batch,
                                         bool shifted, double alpha, cudaStream_t stream)
    : dims_(dims), image_(image), batch_(batch), shifted_(shifted) {
  const Form form = formOf<Real>(dims, image, shifted, alpha);
  length_ = form.length;
  const std::array<int, 3>& size = shifted ? image_ : length_;
  transfer_.resize(box(length_).volume());
  if (form.fused) {
    fused_ = std::make_unique<FusedToeplitz>(dims, image, length_, batch, stream);
    return;
  }
  fft_ = FftPlan(dims_, size, batch_, isDouble<Real>);
  if (batch_ > 1) single_ = FftPlan(dims_, size, 1, isDouble<Real>);
  work_.resize(batch_ * box(size).volume());
  if (!shifted_) return;
  std::vector<Complex<Real>> phases;
  for (int n : image_)
    for (int i = 0; i < n; ++i) {
      const double angle = -std::numbers::pi * i / n;
      phases.push_back({Real(std::cos(angle)), Real(std::sin(angle))});
    }
  phase_.upload(phases.data(), std::int64_t(phases.size()), stream);
  synchronize(stream);
}

template <class Real>
template <class Psf>
void ToeplitzOperator<Real>::transferFrom(const Psf* psf, cudaStream_t stream) {
  const Box length = box(length_), image = box(image_);
  const std::int64_t half = Box{length.x / 2 + 1, length.y, length.z}.volume();
  DeviceBuffer<Complex<Real>> spectrum(half);
  const auto embed = dims_ == 1   ? embedPsf<1, Psf, Real>
                     : dims_ == 2 ? embedPsf<2, Psf, Real>
                                  : embedPsf<3, Psf, Real>;
  embed<<<blocksFor(half), threadsPerBlock, 0, stream>>>(psf, spectrum.data(), image, length,
                                                         Real(1.0 / double(length.volume())));
  checkLaunch("preparing the normal operator");
  const FftPlan fft = FftPlan::toReal(dims_, length_, isDouble<Real>);
  DeviceBuffer<Real> whole;  // shifted
  if (shifted_) whole.resize(length.volume());
  fft.executeToReal(spectrum.data(), shifted_ ? whole.data() : transfer_.data(), stream);
  if (shifted_) {
    splitTransfer<Real><<<blocksFor(length.volume()), threadsPerBlock, 0, stream>>>(
        whole.data(), transfer_.data(), length, image);
    checkLaunch("preparing the normal operator");
  }
  synchronize(stream);  // before the scratch is freed
}

template <class Real>
void ToeplitzOperator<Real>::setPsf(const float2* psf, cudaStream_t stream) {
  transferFrom(psf, stream);
}
template <class Real>
void ToeplitzOperator<Real>::setPsf(const double2* psf, cudaStream_t stream) {
  transferFrom(psf, stream);
}

template <class Real>
void ToeplitzOperator<Real>::apply(const Complex<Real>* in, Complex<Real>* out, std::int64_t count,
                                   int* notFinite, StageClock& clock, cudaStream_t stream) {
  if constexpr (std::is_same_v<Real, float>) {
    if (fused_) return fused_->apply(in, nullptr, out, transfer_.data(), count, notFinite, clock, stream);
  }
  if (count == batch_) {
    shifted_ ? applyShifted(in, out, count, notFinite, clock, stream)
             : applyPadded(in, out, count, notFinite, clock, stream);
    return;
  }
  const std::int64_t pixels = box(image_).volume();
  for (std::int64_t b = 0; b < count; ++b)
    shifted_ ? applyShifted(in + b * pixels, out + b * pixels, 1, notFinite, clock, stream)
             : applyPadded(in + b * pixels, out + b * pixels, 1, notFinite, clock, stream);
}

template <class Real>
void ToeplitzOperator<Real>::applyToProducts(const Complex<Real>* image, const Complex<Real>* maps,
                                             Complex<Real>* out, std::int64_t count, int* notFinite,
                                             StageClock& clock, cudaStream_t stream) {
  if constexpr (std::is_same_v<Real, float>)
    fused_->apply(maps, image, out, transfer_.data(), count, notFinite, clock, stream);
}

template <class Real>
void ToeplitzOperator<Real>::applyPadded(const Complex<Real>* in, Complex<Real>* out, std::int64_t count,
                                         int* notFinite, StageClock& clock, cudaStream_t stream) {
  const Box length = box(length_), image = box(image_);
  const FftPlan& fft = count == batch_ ? fft_ : single_;
  const double grid = double(count * length.volume()) * sizeof(Complex<Real>);
  const double pixels = double(count * image.volume()) * sizeof(Complex<Real>);
  const double transfer = double(length.volume()) * sizeof(Real);
  padImages<Real><<<blocksFor(count * length.volume()), threadsPerBlock, 0, stream>>>(
      in, work_.data(), image, length, count, notFinite);
  checkLaunch("applying the normal operator");
  clock.mark(Stage::deapodize, pixels + grid);
  fft.execute(work_.data(), work_.data(), -1, stream);
  clock.mark(Stage::fft, 2 * grid);
  multiplyTransfer<Real><<<blocksFor(length.volume()), threadsPerBlock, 0, stream>>>(
      work_.data(), transfer_.data(), length.volume(), count);
  checkLaunch("applying the normal operator");
  clock.mark(Stage::multiply, 2 * grid + transfer);
  fft.execute(work_.data(), work_.data(), +1, stream);
  clock.mark(Stage::fft, 2 * grid);
  cropImages<Real><<<blocksFor(count * image.volume()), threadsPerBlock, 0, stream>>>(work_.data(), out,
                                                                                      image, length, count);
  checkLaunch("applying the normal operator");
  clock.mark(Stage::deapodize, 2 * pixels);
}

template <class Real>
void ToeplitzOperator<Real>::applyShifted(const Complex<Real>* in, Complex<Real>* out, std::int64_t count,
                                          int* notFinite, StageClock& clock, cudaStream_t stream) {
  const Box image = box(image_);
  const std::int64_t volume = image.volume();
  const FftPlan& fft = count == batch_ ? fft_ : single_;
  const double bytes = double(count * volume) * sizeof(Complex<Real>);
  if (in == out) {
    copy_.resize(batch_ * volume);
    check(cudaMemcpyAsync(copy_.data(), in, std::size_t(count * volume) * sizeof(Complex<Real>),
                          cudaMemcpyDeviceToDevice, stream),
          "copying an image");
    in = copy_.data();
    clock.mark(Stage::multiply, 2 * bytes);
  }
  const Complex<Real>* table[3] = {phase_.data(), phase_.data() + image_[0],
                                   phase_.data() + image_[0] + image_[1]};
  bool first = true;
  for (int shift = 0; shift < 8; ++shift) {
    bool exists = true;
    Phases<Real> phases{};
    for (int d = 0; d < 3; ++d) {
      const bool odd = shift >> d & 1;
      if (odd && length_[std::size_t(d)] == 1) exists = false;
      phases.axis[d] = odd ? table[d] : nullptr;
    }
    if (!exists) continue;
    const std::int64_t part = packedShift(shift, box(length_));
    modulate<Real><<<blocksFor(count * volume), threadsPerBlock, 0, stream>>>(in, work_.data(), image, count,
                                                                              phases, notFinite);
    checkLaunch("applying the normal operator");
    clock.mark(Stage::multiply, 2 * bytes);
    fft.execute(work_.data(), work_.data(), -1, stream);
    clock.mark(Stage::fft, 2 * bytes);
    multiplyTransfer<Real><<<blocksFor(volume), threadsPerBlock, 0, stream>>>(
        work_.data(), transfer_.data() + part * volume, volume, count);
    checkLaunch("applying the normal operator");
    clock.mark(Stage::multiply, 2 * bytes + double(volume) * sizeof(Real));
    fft.execute(work_.data(), work_.data(), +1, stream);
    clock.mark(Stage::fft, 2 * bytes);
    demodulate<Real><<<blocksFor(count * volume), threadsPerBlock, 0, stream>>>(work_.data(), out, image,
                                                                                count, phases, first);
    checkLaunch("applying the normal operator");
    clock.mark(Stage::multiply, (first ? 2 : 3) * bytes);
    first = false;
  }
}

template <class Real>
std::int64_t ToeplitzOperator<Real>::memory() const {
  return transfer_.bytes() + work_.bytes() + copy_.bytes() + phase_.bytes() + fft_.memory() +
         single_.memory() + (fused_ ? fused_->memory() : 0);
}

template <class Real>
double ToeplitzOperator<Real>::alpha() const {
  const auto longest = std::max_element(image_.begin(), image_.end());
  return double(length_[std::size_t(longest - image_.begin())]) / *longest;
}

template <class Real>
std::int64_t ToeplitzOperator<Real>::estimate(int dims, const std::array<int, 3>& image, std::int64_t batch,
                                              bool shifted, double alpha) {
  const Form form = formOf<Real>(dims, image, shifted, alpha);
  const std::int64_t transfer = box(form.length).volume() * std::int64_t(sizeof(Real));
  if (form.fused) return transfer + FusedToeplitz::estimate(dims, image, form.length, batch);
  const std::array<int, 3>& size = shifted ? image : form.length;
  return transfer + batch * box(size).volume() * std::int64_t(sizeof(Complex<Real>)) +
         FftPlan::estimate(dims, size, batch, isDouble<Real>);
}

template class ToeplitzOperator<float>;
template class ToeplitzOperator<double>;

}  // namespace spokelab::gpu
