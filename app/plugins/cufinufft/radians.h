// Cycles per pixel as the radians that cuFINUFFT takes.
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// to[j] = 2 pi cycles[j], in stream order; both on the device. to: floats where single, else doubles.
cudaError_t radians_of(const double* cycles, void* to, int single, size_t count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
