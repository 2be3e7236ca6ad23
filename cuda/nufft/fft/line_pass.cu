#include "cuda/nufft/fft/line_pass.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/line_pass_long.h"
#include "cuda/nufft/fft/line_pass_longest.h"
#include "cuda/nufft/fft/line_pass_short.h"
#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab::gpu {
namespace {

// Bytes of shared memory that a pass over lines of this length takes at most; 0: there is none.
constexpr int sharedBytesOf(int length) {
  constexpr int staticBytes = 256;  // of addEnergy
  int bytes = 0;
  const auto measure = [&]<int P, int Q>() {
    bytes = staticBytes + std::max(sharedBytes<P, Q>(true), sharedBytes<P, Q>(false));
  };
  withFactors(FusedLengths{}, length, measure) || withFactors(ShortLengths{}, length, measure) ||
      withFactors(LongLengths{}, length, measure) || withFactors(LongestLengths{}, length, measure);
  return bytes;
}

static_assert(std::all_of(std::begin(gpuPassLengths), std::end(gpuPassLengths),
                          [](int length) { return sharedBytesOf(length) > 0; }),
              "grids are made for passes that are not there");

template <LinePass pass, bool AlongX, bool Centred>
bool launch(int length, const float2* in, float2* out, const Lines& lines, std::int64_t batch,
            const float2* turn, const LineFactors& factors, const float* transfer, cudaStream_t stream) {
  return withFactors(FusedLengths{}, length, [&]<int P, int Q>() {
    launchLines<P, Q, pass, AlongX, Centred>(in, out, lines, batch, turn, factors, transfer, stream);
  });
}

}  // namespace

bool hasLinePass(int length, int sharedPerBlock) {
  const int bytes = sharedBytesOf(length);
  return bytes > 0 && bytes <= sharedPerBlock;
}

void launchLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                    std::int64_t batch, const float2* turn, const LineFactors& factors, const float* transfer,
                    cudaStream_t stream) {
  const auto go = [&]<LinePass which, bool AlongX, bool Centred>() {
    return launch<which, AlongX, Centred>(length, in, out, lines, batch, turn, factors, transfer, stream);
  };
  const auto along = [&]<LinePass which, bool AlongX>() {
    return lines.half > 0 ? go.template operator()<which, AlongX, true>()
                          : go.template operator()<which, AlongX, false>();
  };
  const auto here = [&] {
    if (pass == LinePass::fused) return go.template operator()<LinePass::fused, false, false>();
    if (pass == LinePass::pad)
      return lines.alongX ? along.template operator()<LinePass::pad, true>()
                          : along.template operator()<LinePass::pad, false>();
    return lines.alongX ? along.template operator()<LinePass::crop, true>()
                        : along.template operator()<LinePass::crop, false>();
  };
  if (here()) return;
  const bool centred = pass != LinePass::fused && lines.half > 0;
  for (const auto elsewhere : {launchShortLinePass, launchLongLinePass, launchLongestLinePass})
    if (centred && elsewhere(pass, length, in, out, lines, batch, turn, factors, stream)) return;
  throw Error("Cannot transform on the GPU", "no pass has lines of " + std::to_string(length) + " cells",
              "Report this as an error of the program");
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
