#include "cuda/nufft/fft/line_pass.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/line_pass_long.h"

namespace spokelab::gpu {
namespace {

// Calls run.template operator()<P, Q>() for a length that exists.
template <class Run>
void withFactors(int length, Run&& run) {
  switch (length) {
    case 64:
      return run.template operator()<8, 8>();
    case 96:
      return run.template operator()<8, 12>();
    case 128:
      return run.template operator()<8, 16>();
    case 144:
      return run.template operator()<12, 12>();
    case 160:
      return run.template operator()<10, 16>();
    case 180:
      return run.template operator()<12, 15>();
    case 192:
      return run.template operator()<12, 16>();
    case 216:
      return run.template operator()<12, 18>();
    case 240:
      return run.template operator()<15, 16>();
    case 256:
      return run.template operator()<16, 16>();
    case 288:
      return run.template operator()<16, 18>();
    case 320:
      return run.template operator()<16, 20>();
    case 360:
      return run.template operator()<18, 20>();
    case 384:
      return run.template operator()<16, 24>();
    case 400:
      return run.template operator()<20, 20>();
    case 432:
      return run.template operator()<18, 24>();
    case 480:
      return run.template operator()<20, 24>();
    case 512:
      return run.template operator()<16, 32>();
  }
}

template <LinePass pass, bool AlongX, bool Centred>
void launch(int length, const float2* in, float2* out, const Lines& lines, std::int64_t batch,
            const float2* turn, const LineFactors& factors, const float* transfer, cudaStream_t stream) {
  withFactors(length, [&]<int P, int Q>() {
    launchLines<P, Q, pass, AlongX, Centred>(in, out, lines, batch, turn, factors, transfer, stream);
  });
}

}  // namespace

void launchLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                    std::int64_t batch, const float2* turn, const LineFactors& factors, const float* transfer,
                    cudaStream_t stream) {
  if (length > passLengths[std::size(passLengths) - 1])
    return launchLongLinePass(pass, length, in, out, lines, batch, turn, factors, stream);
  const auto go = [&]<LinePass which, bool AlongX, bool Centred>() {
    launch<which, AlongX, Centred>(length, in, out, lines, batch, turn, factors, transfer, stream);
  };
  const auto along = [&]<LinePass which, bool AlongX>() {
    lines.half > 0 ? go.template operator()<which, AlongX, true>()
                   : go.template operator()<which, AlongX, false>();
  };
  if (pass == LinePass::fused)
    go.template operator()<LinePass::fused, false, false>();
  else if (pass == LinePass::pad)
    lines.alongX ? along.template operator()<LinePass::pad, true>()
                 : along.template operator()<LinePass::pad, false>();
  else
    lines.alongX ? along.template operator()<LinePass::crop, true>()
                 : along.template operator()<LinePass::crop, false>();
}

DeviceBuffer<float2> lineTurns(const std::array<int, 3>& length, cudaStream_t stream) {
  std::vector<float2> turns;
  for (const int n : length)
    for (int i = 0; i < n; ++i) {
      const double angle = -2 * std::numbers::pi * i / n;
      turns.push_back(make_float2(float(std::cos(angle)), float(std::sin(angle))));
    }
  DeviceBuffer<float2> device;
  device.upload(turns.data(), std::int64_t(turns.size()), stream);
  check(cudaStreamSynchronize(stream), "preparing line transforms");
  return device;
}

}  // namespace spokelab::gpu
