// Makes ESPIRiT's operator on the device, for large calibration regions. The host's version is
// engine/recon/coils/calibration_operator.h; keep both equal.
#pragma once

#include "cuda/device/libraries/dense_algebra.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/calibration_operator.h"

namespace spokelab::gpu {

// Fewest rows of the calibration matrix' Gram matrix for which the device is faster than the host.
inline constexpr std::int64_t minDeviceCalibration = 256;

// The smaller side of the calibration matrix of blocks of `width`.
std::int64_t calibrationRows(const CalibrationData& data, const Index3& width);

// The coefficients of PixelOperator, [sz, sy, pair, sx]; empty where eigenvectors were not found.
// Basis vectors whose squared singular value is below `share` of the largest are left out. Throws
// Error (memory); Cancelled.
DeviceBuffer<float2> deviceOperator(DenseAlgebra& algebra, const CalibrationData& data, const Index3& width,
                                    double share, const Progress& progress, cudaStream_t stream);

}  // namespace spokelab::gpu
