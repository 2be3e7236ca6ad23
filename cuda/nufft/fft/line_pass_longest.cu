#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/line_pass_parts.h"

namespace spokelab::gpu {

bool launchLongestLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                           std::int64_t batch, const float2* turn, const LineFactors<float>& factors,
                           cudaStream_t stream) {
  return launchPadOrCrop<float>(LongestLengths{}, pass, length, in, out, lines, batch, turn, factors, stream);
}

}  // namespace spokelab::gpu
