#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<double, Middle<double>>;

}  // namespace spokelab::gpu
