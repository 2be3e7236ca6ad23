#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<float, Short<float>>;

}  // namespace spokelab::gpu
