// ESPIRiT's maps at every pixel, made and kept on the device: what
// engine/recon/coils/espirit_maps.h does on the host. Source: Uecker et al., MRM 71:990, 2014.
#pragma once

#include <future>
#include <memory>
#include <mutex>

#include "cuda/device/libraries/collective_keeper.h"
#include "cuda/recon/coils/calibration_operator.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/espirit_maps.h"

namespace spokelab::gpu {

// The libraries that large calibration regions and the mixing of coils need, loaded once:
// DenseAlgebra::load() takes longer than its work.
class CalibrationTools {
 public:
  // Calls work(DenseAlgebra&), for one caller at a time; false where the libraries cannot be
  // loaded.
  template <class Work>
  bool use(const Work& work) {
    const std::lock_guard lock(one_);
    DenseAlgebra* const algebra = loaded();
    if (algebra) work(*algebra);
    return algebra != nullptr;
  }
  // True if the libraries are loaded.
  bool ready() {
    const std::lock_guard lock(one_);
    return algebra_ != nullptr;
  }
  // Begins to load them on another thread, for a device: use() waits for the end. Their kernels are
  // loaded as well, by a small matrix: each of them takes milliseconds at its first call.
  void loadAhead(int device);
  // As deviceOperator(); also empty if the libraries cannot be loaded.
  DeviceBuffer<float2> operatorOf(const EspiritPixels& pixels, const Progress& progress, cudaStream_t stream);

 private:
  DenseAlgebra* loaded();

  std::mutex one_;  // one caller at a time uses algebra_
  std::unique_ptr<DenseAlgebra> algebra_;
  std::future<std::unique_ptr<DenseAlgebra>> loading_;
};

// Null beyond maxMapCoils. keeper: of this device, for maps that ranks divide. Throws Error
// (memory); Cancelled.
std::shared_ptr<const BackendMaps> espiritMapsOnDevice(CalibrationTools& tools, CollectiveKeeper& keeper,
                                                       const EspiritPixels& pixels, const Progress& progress);

}  // namespace spokelab::gpu
