#include "cuda/nufft/fft/split_line.cuh"

namespace spokelab::gpu {

constexpr bool hasRow(int length) {
  int cells = 0;
  const auto measure = [&]<class Shape>() { cells = Shape::length; };
  withShape(Short<float>::Across{}, length, measure);
  withShape(Middle<float>::Across{}, length, measure);
  return cells > 0;
}
static_assert(std::all_of(std::begin(gpuSplitLengths), std::end(gpuSplitLengths), hasRow),
              "grids are made for rows that are not there");

template void launchSplitLine<float>(LinePass, int, const float2*, float2*, const SplitLine<float>&,
                                     std::int64_t, const float2*, const LineFactors<float>&, cudaStream_t);

}  // namespace spokelab::gpu
