// Cycles per pixel as the radians that cuFINUFFT takes.
#include <cuda_runtime.h>

namespace {

constexpr double twoPi = 6.283185307179586;
constexpr unsigned threads = 256;

template <class Real>
__global__ void radiansKernel(const double* cycles, Real* to, size_t count) {
  const size_t j = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j < count) to[j] = Real(twoPi * cycles[j]);
}

}  // namespace

// to[j] = 2 pi cycles[j], in stream order, on the device. to: floats where single, else doubles.
extern "C" cudaError_t radians_of(const double* cycles, void* to, int single, size_t count,
                                  cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  const auto blocks = unsigned((count + threads - 1) / threads);
  if (single)
    radiansKernel<<<blocks, threads, 0, stream>>>(cycles, static_cast<float*>(to), count);
  else
    radiansKernel<<<blocks, threads, 0, stream>>>(cycles, static_cast<double*>(to), count);
  return cudaGetLastError();
}
