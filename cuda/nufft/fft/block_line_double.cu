#include "cuda/nufft/fft/block_line.cuh"

namespace spokelab::gpu {

template LineStages lineStages<double>(int);
template void launchBlockLine<double>(LinePass, const LineStages&, const double2*, double2*, const BlockLine&,
                                      const double2*, const LineFactors<double>&, cudaStream_t);

}  // namespace spokelab::gpu
