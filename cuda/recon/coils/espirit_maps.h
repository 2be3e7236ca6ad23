// ESPIRiT's maps at every pixel, made and kept on the device: what engine/recon/coils/espirit_maps.h
// does on the host. Source: Uecker et al., MRM 71:990, 2014.
#pragma once

#include <memory>
#include <mutex>

#include "cuda/recon/coils/calibration_operator.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/espirit_maps.h"

namespace spokelab::gpu {

// A warp holds the matrix of a pixel, one row a thread.
inline constexpr int maxEspiritCoils = 32;

// The libraries that large calibration regions need, loaded once: DenseAlgebra::load() takes longer
// than its work.
class CalibrationTools {
 public:
  // As deviceOperator(); empty where the libraries cannot be loaded, too.
  DeviceBuffer<float2> operatorOf(const EspiritPixels& pixels, const Progress& progress, cudaStream_t stream);

 private:
  std::mutex one_;  // job at a time
  bool loaded_ = false;
  std::unique_ptr<DenseAlgebra> algebra_;
};

// Null beyond maxEspiritCoils. Throws Error (memory); Cancelled.
std::shared_ptr<const BackendMaps> espiritMapsOnDevice(CalibrationTools& tools, const EspiritPixels& pixels,
                                                       const Progress& progress);

}  // namespace spokelab::gpu
