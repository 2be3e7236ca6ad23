#include "cuda/nufft/fft/block_line.cuh"

namespace spokelab::gpu {

template LineStages lineStages<float>(int);
template void launchBlockLine<float>(LinePass, const LineStages&, const float2*, float2*, const BlockLine&,
                                     const float2*, const LineFactors<float>&, cudaStream_t);

}  // namespace spokelab::gpu
