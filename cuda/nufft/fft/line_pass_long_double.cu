#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct PadOrCrop<double, LongLengths>;

}  // namespace spokelab::gpu
