// The dominant eigenvector of a small Hermitian matrix for each pixel: `Lanes` threads of a warp
// share a pixel, and each holds a row of the matrix and a component of the vector.
#pragma once

#include "cuda/device/complex.cuh"

namespace spokelab::gpu {

inline constexpr unsigned wholeWarp = 0xffffffffU;

// Sum over the `Lanes` threads that share a pixel.
template <int Lanes>
__device__ __forceinline__ float groupSum(float value) {
#pragma unroll
  for (int step = Lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(wholeWarp, value, step);
  return value;
}

// Power iterations with `matrix` (this thread's row) from `vector` on (this thread's component,
// replaced); returns the eigenvalue. tolerance: of the square of a step's change. The pixels of a
// warp end together.
template <int Lanes>
__device__ float leadingVector(const float2 (&matrix)[Lanes], float2& vector, int maxSteps, float tolerance) {
  float value = 0;
  for (int step = 0; step < maxSteps; ++step) {
    float2 next{0, 0};
#pragma unroll
    for (int b = 0; b < Lanes; ++b) {
      const float2 other{__shfl_sync(wholeWarp, vector.x, b, Lanes),
                         __shfl_sync(wholeWarp, vector.y, b, Lanes)};
      next = plus(next, times(matrix[b], other));
    }
    value = sqrtf(groupSum<Lanes>(next.x * next.x + next.y * next.y));
    const float2 before = vector;
    if (value > 0) vector = {next.x / value, next.y / value};
    const float2 change{vector.x - before.x, vector.y - before.y};
    const bool still = groupSum<Lanes>(change.x * change.x + change.y * change.y) < tolerance;
    if (__all_sync(wholeWarp, still)) break;
  }
  return value;
}

// The vector turned so that its product with the reference is real and positive.
template <int Lanes>
__device__ __forceinline__ float2 turnedTo(float2 reference, float2 vector) {
  const float2 product = conjugateTimes(reference, vector);
  const float2 turn{groupSum<Lanes>(product.x), groupSum<Lanes>(product.y)};
  const float length = sqrtf(turn.x * turn.x + turn.y * turn.y);
  return times(vector, length > 0 ? float2{turn.x / length, -turn.y / length} : float2{1, 0});
}

}  // namespace spokelab::gpu
