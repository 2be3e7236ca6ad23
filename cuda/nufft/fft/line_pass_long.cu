#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct PadOrCrop<float, LongLengths>;
template struct PadOrCrop<float, LongerLengths>;

}  // namespace spokelab::gpu
