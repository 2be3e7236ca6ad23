#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<float, Middle<float>>;

}  // namespace spokelab::gpu
