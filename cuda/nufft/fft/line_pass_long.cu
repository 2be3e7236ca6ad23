#include "cuda/nufft/fft/line_pass_long.h"

#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {
namespace {

// Calls run.template operator()<P, Q>() for a length that exists.
template <class Run>
void withFactors(int length, Run&& run) {
  switch (length) {
    case 576:
      return run.template operator()<24, 24>();
    case 600:
      return run.template operator()<15, 40>();
    case 640:
      return run.template operator()<20, 32>();
    case 720:
      return run.template operator()<20, 36>();
    case 768:
      return run.template operator()<24, 32>();
    case 800:
      return run.template operator()<20, 40>();
    case 864:
      return run.template operator()<24, 36>();
    case 900:
      return run.template operator()<25, 36>();
    case 960:
      return run.template operator()<24, 40>();
    case 1024:
      return run.template operator()<32, 32>();
    case 1080:
      return run.template operator()<30, 36>();
    case 1152:
      return run.template operator()<32, 36>();
    case 1200:
      return run.template operator()<30, 40>();
    case 1280:
      return run.template operator()<32, 40>();
    case 1296:
      return run.template operator()<36, 36>();
    case 1440:
      return run.template operator()<36, 40>();
  }
}

template <LinePass pass, bool AlongX>
void launch(int length, const float2* in, float2* out, const Lines& lines, std::int64_t batch,
            const float2* turn, const LineFactors& factors, cudaStream_t stream) {
  withFactors(length, [&]<int P, int Q>() {
    launchLines<P, Q, pass, AlongX, true>(in, out, lines, batch, turn, factors, nullptr, stream);
  });
}

}  // namespace

void launchLongLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                        std::int64_t batch, const float2* turn, const LineFactors& factors,
                        cudaStream_t stream) {
  const auto go = pass == LinePass::pad
                      ? (lines.alongX ? launch<LinePass::pad, true> : launch<LinePass::pad, false>)
                      : (lines.alongX ? launch<LinePass::crop, true> : launch<LinePass::crop, false>);
  go(length, in, out, lines, batch, turn, factors, stream);
}

}  // namespace spokelab::gpu
