#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct PadOrCrop<double, ShortLengths>;

}  // namespace spokelab::gpu
