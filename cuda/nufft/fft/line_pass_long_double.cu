#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/line_pass_parts.h"

namespace spokelab::gpu {

bool launchLongDoubleLinePass(LinePass pass, int length, const double2* in, double2* out, const Lines& lines,
                              std::int64_t batch, const double2* turn, const LineFactors<double>& factors,
                              cudaStream_t stream) {
  return launchPadOrCrop<double>(LongLengths{}, pass, length, in, out, lines, batch, turn, factors, stream);
}

}  // namespace spokelab::gpu
