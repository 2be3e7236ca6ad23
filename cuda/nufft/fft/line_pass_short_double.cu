#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<double, Short<double>>;

}  // namespace spokelab::gpu
