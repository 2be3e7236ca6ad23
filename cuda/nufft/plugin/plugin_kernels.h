// What a plug-in's plan needs beside the plug-in: its points axis by axis, and weights.
#pragma once

#include <array>
#include <cstdint>

#include "cuda/device/complex.h"

namespace spokelab::gpu {

// axes[d][j] = points[j, d] / divisors[d] without its whole number, within -1/2 ... 1/2; null
// beyond the dimensions. Sets *notFinite where a coordinate is not a number. All arrays are the
// device's.
void splitAxes(const double* points, std::int64_t count, int dims, const std::array<double, 3>& divisors,
               const std::array<double*, 3>& axes, int* notFinite, cudaStream_t stream);

// samples[b, j] *= weights[j], for `batch` times `count` samples.
template <class Real>
void weightSamples(Complex<Real>* samples, const Real* weights, std::int64_t count, std::int64_t batch,
                   cudaStream_t stream);

}  // namespace spokelab::gpu
