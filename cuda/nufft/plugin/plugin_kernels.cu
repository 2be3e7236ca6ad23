#include "cuda/device/launch.cuh"
#include "cuda/nufft/plugin/plugin_kernels.h"

namespace spokelab::gpu {
namespace {

struct Axes {
  double* of[3];
  double divisors[3];
};

__global__ void splitAxesKernel(const double* points, std::int64_t count, int dims, Axes axes,
                                int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  for (int d = 0; d < dims; ++d) {
    const double k = points[j * dims + d] / axes.divisors[d];
    if (!isfinite(k)) *notFinite = 1;
    axes.of[d][j] = k - rint(k);
  }
}

}  // namespace

void splitAxes(const double* points, std::int64_t count, int dims, const std::array<double, 3>& divisors,
               const std::array<double*, 3>& axes, int* notFinite, cudaStream_t stream) {
  if (count == 0) return;
  const Axes split{{axes[0], axes[1], axes[2]}, {divisors[0], divisors[1], divisors[2]}};
  splitAxesKernel<<<blocksFor(count), threadsPerBlock, 0, stream>>>(points, count, dims, split, notFinite);
  checkLaunch("splitting coordinates");
}

}  // namespace spokelab::gpu
