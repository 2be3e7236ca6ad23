// Compiles the line transforms of middle lengths (line_lengths.h) in double precision. Each list of
// lengths has one such file for each precision; line_pass_parts.h declares them to all other files.
#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

template struct LinePasses<double, Middle<double>>;

}  // namespace spokelab::gpu
