// The dominant eigenvector of the coils' covariance in a block around a pixel: what Walsh's maps
// and the adaptive combination are made of. Source: Walsh, Gmitro, Marcellin, MRM 43:682, 2000.
#pragma once

#include "cuda/device/launch.cuh"
#include "cuda/recon/coils/leading_vector.cuh"

namespace spokelab::gpu {

struct Blocks {
  int coils;
  int size[3], half[3];  // of the images; of the block around a pixel, to either side
  float scale;           // images are multiplied by it, so that squares neither overflow nor vanish
  float tolerance;       // of the square of a step's change
  int maxSteps;
};

inline constexpr int blockVectorThreads = 256;

// images [count, pixel] to columns `first` ... of values [pixel, coils]: the coils of a pixel are
// read together.
static __global__ void interleaveCoils(const float2* images, int first, int count, int coils,
                                       std::int64_t pixels, float2* values) {
  const std::int64_t i = globalThread();
  if (i >= pixels * count) return;
  const std::int64_t pixel = i / count, c = i % count;
  values[pixel * coils + first + c] = images[c * pixels + pixel];
}

// Component `coil` of the dominant unit eigenvector of R = sum over the block of c c^H, turned so
// that its product with the reference is real: `Lanes` threads share a pixel, and each holds a row
// of R. values [pixel, coil], scaled. trace: of R.
template <int Lanes>
__device__ float2 blockVector(const Blocks& p, const float2* values, std::int64_t pixel, int coil,
                              float2 reference, float& trace) {
  const int x = int(pixel % p.size[0]), y = int(pixel / p.size[0] % p.size[1]),
            z = int(pixel / p.size[0] / p.size[1]);
  float2 matrix[Lanes];
#pragma unroll
  for (int b = 0; b < Lanes; ++b) matrix[b] = {0, 0};
  float square = 0;
  // Blocks are cut at the edges of the image. There, too, all threads of a warp run through the
  // whole block, because they exchange numbers in the loop.
  for (int dz = -p.half[2]; dz <= p.half[2]; ++dz)
    for (int dy = -p.half[1]; dy <= p.half[1]; ++dy)
      for (int dx = -p.half[0]; dx <= p.half[0]; ++dx) {
        const int i = x + dx, j = y + dy, k = z + dz;
        const bool inside = i >= 0 && i < p.size[0] && j >= 0 && j < p.size[1] && k >= 0 && k < p.size[2];
        float2 v{0, 0};
        if (inside && coil < p.coils)
          v = scaled(values[((std::int64_t(k) * p.size[1] + j) * p.size[0] + i) * p.coils + coil], p.scale);
        square += v.x * v.x + v.y * v.y;
#pragma unroll
        for (int b = 0; b < Lanes; ++b) {
          const float2 other{__shfl_sync(wholeWarp, v.x, b, Lanes), __shfl_sync(wholeWarp, v.y, b, Lanes)};
          matrix[b] = plus(matrix[b], conjugateTimes(other, v));
        }
      }
  trace = groupSum<Lanes>(square);
  float2 vector = reference;
  leadingVector<Lanes>(matrix, vector, p.maxSteps, p.tolerance);
  return turnedTo<Lanes>(reference, vector);
}

// Calls f.template operator()<Lanes>() for this number of coils. At most 32: a warp holds a pixel's
// matrix.
template <class F>
void dispatchLanes(int coils, F&& f) {
  if (coils <= 4)
    f.template operator()<4>();
  else if (coils <= 8)
    f.template operator()<8>();
  else if (coils <= 16)
    f.template operator()<16>();
  else
    f.template operator()<32>();
}

}  // namespace spokelab::gpu
