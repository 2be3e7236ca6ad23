#include "cuda/nufft/fft/line_pass_longest.h"

#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

bool launchLongestLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                           std::int64_t batch, const float2* turn, const LineFactors& factors,
                           cudaStream_t stream) {
  return launchPadOrCrop(LongestLengths{}, pass, length, in, out, lines, batch, turn, factors, stream);
}

}  // namespace spokelab::gpu
