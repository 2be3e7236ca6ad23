#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct PadOrCrop<float, LongestLengths>;

}  // namespace spokelab::gpu
