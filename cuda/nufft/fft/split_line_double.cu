#include "cuda/nufft/fft/split_line.cuh"

namespace spokelab::gpu {

template void launchSplitLine<double>(LinePass, int, const double2*, double2*, const SplitLine<double>&,
                                      std::int64_t, const double2*, const LineFactors<double>&, cudaStream_t);

}  // namespace spokelab::gpu
