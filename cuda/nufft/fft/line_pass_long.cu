#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<float, Long<float>>;

}  // namespace spokelab::gpu
