#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<float, Longest<float>>;

}  // namespace spokelab::gpu
