// Arrays where a backend's reconstruction has them: in the host's memory, or, for a plan of the
// CUDA module that is given data on the device, in the device's.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>

#include "engine/core/array.h"
#include "engine/nufft/nufft.h"

#ifdef SPOKELAB_WITH_CUDA
#include "tests/bench/gpu_cases.h"
#endif

namespace spokelab::bench {

template <class Real>
class PlacedData {
 public:
  using Complex = std::complex<Real>;

  PlacedData(std::int64_t count, bool onDevice) : onDevice_(onDevice) {
    host_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < host_.size(); ++i)
      host_[i] = Complex(Real(i % 7) - Real(3), Real(i % 5) - Real(2));
#ifdef SPOKELAB_WITH_CUDA
    if (onDevice_) device_ = std::make_unique<DeviceArray<Complex>>(host_.size());
    if (onDevice_)
      require(cudaMemcpy(device_->get(), host_.data(), device_->bytes(), cudaMemcpyHostToDevice), "copying");
#endif
  }
  Complex* data() {
#ifdef SPOKELAB_WITH_CUDA
    if (onDevice_) return device_->get();
#endif
    return host_.data();
  }

 private:
  bool onDevice_;
  Buffer<Complex> host_;
#ifdef SPOKELAB_WITH_CUDA
  std::unique_ptr<DeviceArray<Complex>> device_;
#endif
};

// Until the device has done all it was asked to.
inline void awaitDevice() {
#ifdef SPOKELAB_WITH_CUDA
  require(cudaDeviceSynchronize(), "waiting");
#endif
}

}  // namespace spokelab::bench
