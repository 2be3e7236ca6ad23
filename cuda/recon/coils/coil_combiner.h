// The steps of gridding around the adjoint, on the device: density weights, combination of coils.
#pragma once

#include <span>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/nufft/plan/pass.h"
#include "engine/core/array.h"
#include "engine/recon/coils/coil_mixer.h"

namespace spokelab::gpu {

// Values of the host that lie one after the other: one copy takes them.
template <class T>
struct HostPart {
  T* first;
  std::int64_t count;
};

// Appends `count` values: to the last part if they follow it in memory, else as a new part.
template <class T>
void join(std::vector<HostPart<T>>& parts, T* first, std::int64_t count) {
  if (count == 0) return;
  if (!parts.empty() && parts.back().first + parts.back().count == first)
    parts.back().count += count;
  else
    parts.push_back({first, count});
}

template <class Real>
class CoilCombiner {
 public:
  // One density weight for each point. Waits for the copy.
  void setWeights(std::span<const double> weights, cudaStream_t stream);
  std::int64_t weightCount() const { return weights_.size(); }

  // Begins a sum of squares over `pixels`, and makes room for an image.
  void begin(std::int64_t pixels, cudaStream_t stream);
  // samples [pass, M] = weighted samples of `coils` (host, [M] each); rows beyond coils.size() are
  // zero. M: weightCount(). mixer: has copies of some coils on the device, or null.
  void load(std::span<const std::complex<Real>* const> coils, const CoilMixer* mixer, Complex<Real>* samples,
            std::int64_t pass, StageClock& clock, cudaStream_t stream);
  // Adds `count` images to the sum of squares.
  void add(const Complex<Real>* images, std::int64_t count, cudaStream_t stream);
  // out (host, pixels) = sqrt(sum), imaginary part zero.
  void finish(std::complex<Real>* out, cudaStream_t stream);
  // Room for an image that another combination makes; keep() takes it to the host.
  Complex<Real>* result(std::int64_t pixels);
  // out (host) = the image itself, its phase kept, over the pixels of the last begin() or result().
  void keep(const Complex<Real>* image, std::complex<Real>* out, cudaStream_t stream);

  // Several sets of points. samples of a pass = the values of `from`, in order, weighted.
  void loadSets(const std::vector<HostPart<const std::complex<Real>>>& from, Complex<Real>* samples,
                const SetView& sets, const Pass& pass, StageClock& clock, cudaStream_t stream);
  // The sets' images to the host: the root of the sum of squares over the coils, or, of one coil,
  // the image itself.
  void combineSets(const Complex<Real>* images, std::int64_t pixels, const Pass& pass,
                   const std::vector<HostPart<std::complex<Real>>>& to, StageClock& clock,
                   cudaStream_t stream);
  std::int64_t memory() const { return weights_.bytes() + squares_.bytes() + result_.bytes(); }

 private:
  DeviceBuffer<Real> weights_, squares_;
  DeviceBuffer<Complex<Real>> result_;
};

}  // namespace spokelab::gpu
