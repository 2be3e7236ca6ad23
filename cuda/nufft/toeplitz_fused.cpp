#include "cuda/nufft/toeplitz_fused.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "cuda/nufft/launch.h"
#include "cuda/nufft/line_fft.cuh"

namespace spokelab::gpu {
namespace {

enum class Pass { pad, crop, fused };

// Lines of one axis: element e of line (outer, inner) lies at outer * step + inner + e * stride.
struct Lines {
  std::int64_t count, inner;
  std::int64_t inStep, outStep, inStride, outStride;
  int pixels;  // N: elements that are read (pad) or written (crop)
};

constexpr int linesPerBlock = 16;  // consecutive lines of a strided axis: 128-byte accesses

// Contiguous: the line lies along x, threads run along it; otherwise threads run across lines.
template <int P, int Q, Pass pass, bool Contiguous>
__global__ void __launch_bounds__(linesPerBlock*(P > Q ? P : Q))
    linePass(const float2* __restrict__ in, float2* __restrict__ out, const float* __restrict__ transfer,
             const float2* __restrict__ turn, const __grid_constant__ Lines lines, int* notFinite) {
  constexpr int T = P > Q ? P : Q;
  extern __shared__ float2 exchange[];
  const int t = Contiguous ? int(threadIdx.x) % T : int(threadIdx.x) / linesPerBlock;
  const int l = Contiguous ? int(threadIdx.x) / T : int(threadIdx.x) % linesPerBlock;
  const std::int64_t line = std::int64_t(blockIdx.x) * linesPerBlock + l;
  const bool exists = line < lines.count;
  const std::int64_t outer = exists ? line / lines.inner : 0, inner = exists ? line % lines.inner : 0;
  const float2* from = in + outer * lines.inStep + inner;
  float2* to = out + outer * lines.outStep + inner;
  float2* shared = exchange + (Contiguous ? l * exchangeLength(P, Q) : l);
  constexpr int stride = Contiguous ? 1 : linesPerBlock;

  float2 a[T];
  bool finite = true;
#pragma unroll
  for (int i = 0; i < P; ++i) {
    const int e = t + Q * i;
    const bool read = exists && t < Q && (pass == Pass::crop || e < lines.pixels);
    a[i] = read ? from[e * lines.inStride] : make_float2(0.f, 0.f);
    if (pass == Pass::pad && Contiguous) finite = finite && isfinite(a[i].x) && isfinite(a[i].y);
  }
  if (pass == Pass::pad && Contiguous && !finite) *notFinite = 1;
  lineTransform<P, Q, pass == Pass::crop ? 1 : -1>(a, t, shared, stride, turn);
  if constexpr (pass == Pass::fused) {
    if (exists && t < P) {
#pragma unroll
      for (int m = 0; m < Q; ++m) {
        const float f = transfer[std::int64_t(t + P * m) * lines.inner + inner];
        a[m] = make_float2(a[m].x * f, a[m].y * f);
      }
    }
    __syncthreads();
    lineTransform<Q, P, 1>(a, t, shared, stride, turn);  // back: thread t < Q holds elements t + Q i
#pragma unroll
    for (int i = 0; i < P; ++i)
      if (exists && t < Q && t + Q * i < lines.pixels) to[(t + Q * i) * lines.outStride] = a[i];
  } else {
#pragma unroll
    for (int m = 0; m < Q; ++m)
      if (exists && t < P && (pass == Pass::pad || t + P * m < lines.pixels))
        to[(t + P * m) * lines.outStride] = a[m];
  }
}

// Calls run.template operator()<P, Q>() for a length that exists.
template <class Run>
bool withFactors(int length, Run&& run) {
  switch (length) {
    case 64:
      run.template operator()<8, 8>();
      return true;
    case 96:
      run.template operator()<8, 12>();
      return true;
    case 128:
      run.template operator()<8, 16>();
      return true;
    case 192:
      run.template operator()<12, 16>();
      return true;
    case 256:
      run.template operator()<16, 16>();
      return true;
    case 320:
      run.template operator()<16, 20>();
      return true;
    case 384:
      run.template operator()<16, 24>();
      return true;
    case 512:
      run.template operator()<16, 32>();
      return true;
    default:
      return false;
  }
}
constexpr int passLengths[] = {64, 96, 128, 192, 256, 320, 384, 512};

template <Pass pass, bool Contiguous>
void launch(int length, const float2* in, float2* out, const float* transfer, const float2* turn,
            const Lines& lines, int* notFinite, cudaStream_t stream) {
  withFactors(length, [&]<int P, int Q>() {
    const auto kernel = linePass<P, Q, pass, Contiguous>;
    const std::size_t shared = std::size_t(linesPerBlock) * exchangeLength(P, Q) * sizeof(float2);
    allowShared(kernel, shared);
    kernel<<<blocksFor(lines.count, linesPerBlock), linesPerBlock * std::max(P, Q), shared, stream>>>(
        in, out, transfer, turn, lines, notFinite);
    checkLaunch("applying the normal operator");
  });
}

std::array<int, 3> lengthsOf(int dims, const std::array<int, 3>& image) {
  std::array<int, 3> length{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d) length[d] = FusedToeplitz::length(image[d]);
  return length;
}

}  // namespace

int FusedToeplitz::length(int n) {
  for (const int l : passLengths)
    if (l >= 2 * n - 1) return l;
  return 0;
}

bool FusedToeplitz::serves(int dims, const std::array<int, 3>& image) {
  // A length far over 2N would cost more than cuFFT's passes save.
  constexpr double mostWaste = 1.3;
  double waste = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    if (image[d] < 2 || length(image[d]) == 0) return false;
    waste *= double(length(image[d])) / (2.0 * image[d]);
  }
  return dims >= 2 && waste <= mostWaste * mostWaste;
}

FusedToeplitz::FusedToeplitz(int dims, const std::array<int, 3>& image, std::int64_t batch,
                             cudaStream_t stream)
    : dims_(dims), image_(image), length_(lengthsOf(dims, image)) {
  const std::int64_t rows = batch * image_[1] * image_[2];
  lines_.resize(rows * length_[0]);
  if (dims_ == 3) planes_.resize(batch * image_[2] * length_[1] * length_[0]);
  std::vector<float2> turns;
  for (std::size_t d = 0; d < 3; ++d)
    for (int n = 0; n < length_[d]; ++n) {
      const double angle = -2 * std::numbers::pi * n / length_[d];
      turns.push_back(make_float2(float(std::cos(angle)), float(std::sin(angle))));
    }
  turns_.upload(turns.data(), std::int64_t(turns.size()), stream);
  check(cudaStreamSynchronize(stream), "preparing the normal operator");
}

void FusedToeplitz::apply(const float2* in, float2* out, const float* transfer, std::int64_t count,
                          int* notFinite, StageClock& clock, cudaStream_t stream) {
  const std::int64_t nx = image_[0], ny = image_[1], nz = image_[2], lx = length_[0], ly = length_[1];
  const float2 *turnX = turns_.data(), *turnY = turnX + lx, *turnZ = turnY + ly;
  const auto bytes = [](std::int64_t values) { return double(values) * sizeof(float2); };
  const std::int64_t rows = count * ny * nz;
  const Lines x{rows, 1, nx, lx, 1, 1, int(nx)}, xBack{rows, 1, lx, nx, 1, 1, int(nx)};
  launch<Pass::pad, true>(length_[0], in, lines_.data(), nullptr, turnX, x, notFinite, stream);
  clock.mark(Stage::fft, bytes(rows * (nx + lx)));
  if (dims_ == 2) {
    const Lines y{count * lx, lx, ny * lx, ny * lx, lx, lx, int(ny)};
    launch<Pass::fused, false>(length_[1], lines_.data(), lines_.data(), transfer, turnY, y, notFinite,
                               stream);
    clock.mark(Stage::fft, 2 * bytes(count * ny * lx) + double(lx * ly) * sizeof(float));
  } else {
    const Lines y{count * nz * lx, lx, ny * lx, ly * lx, lx, lx, int(ny)};
    const Lines yBack{count * nz * lx, lx, ly * lx, ny * lx, lx, lx, int(ny)};
    const Lines z{count * ly * lx, ly * lx, nz * ly * lx, nz * ly * lx, ly * lx, ly * lx, int(nz)};
    launch<Pass::pad, false>(length_[1], lines_.data(), planes_.data(), nullptr, turnY, y, notFinite, stream);
    launch<Pass::fused, false>(length_[2], planes_.data(), planes_.data(), transfer, turnZ, z, notFinite,
                               stream);
    launch<Pass::crop, false>(length_[1], planes_.data(), lines_.data(), nullptr, turnY, yBack, notFinite,
                              stream);
    clock.mark(Stage::fft, 2 * bytes(count * nz * lx * (ny + ly)) + 2 * bytes(count * nz * ly * lx) +
                               double(lx * ly * length_[2]) * sizeof(float));
  }
  launch<Pass::crop, true>(length_[0], lines_.data(), out, nullptr, turnX, xBack, notFinite, stream);
  clock.mark(Stage::fft, bytes(rows * (nx + lx)));
}

std::int64_t FusedToeplitz::estimate(int dims, const std::array<int, 3>& image, std::int64_t batch) {
  const std::array<int, 3> length = lengthsOf(dims, image);
  const std::int64_t lines = batch * image[1] * image[2] * length[0];
  const std::int64_t planes = dims == 3 ? batch * image[2] * length[1] * length[0] : 0;
  return (lines + planes) * std::int64_t(sizeof(float2));
}

}  // namespace spokelab::gpu
