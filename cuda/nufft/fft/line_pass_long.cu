#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/line_pass_parts.h"

namespace spokelab::gpu {

bool launchLongLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                        std::int64_t batch, const float2* turn, const LineFactors<float>& factors,
                        cudaStream_t stream) {
  const auto among = [&](auto list) {
    return launchPadOrCrop<float>(list, pass, length, in, out, lines, batch, turn, factors, stream);
  };
  return among(LongLengths{}) || among(LongerLengths{});
}

}  // namespace spokelab::gpu
