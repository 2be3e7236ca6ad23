#include "cuda/nufft/fft/split_line.cuh"

namespace spokelab::gpu {

template void launchSplitLine<float>(LinePass, int, const float2*, float2*, const SplitLine<float>&,
                                     std::int64_t, const float2*, const LineFactors<float>&, cudaStream_t);

}  // namespace spokelab::gpu
