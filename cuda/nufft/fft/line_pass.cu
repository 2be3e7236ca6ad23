#include "cuda/nufft/fft/line_pass.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "cuda/nufft/fft/line_pass.cuh"
#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab::gpu {
namespace {

// Bytes of shared memory of a block that passes over lines of this length: the most of all shapes
// with this length; 0 if there is none.
template <class Real>
constexpr int sharedBytesOf(int length) {
  constexpr int staticBytes = 256;  // addEnergy's static array
  int bytes = 0;
  const auto measure = [&]<class Shape>() {
    bytes = std::max(bytes, staticBytes + sharedBytes<Real, Shape>);
  };
  const auto allOf = [&]<class... Lengths>(Lengths...) {
    (withShape(typename Lengths::Across{}, length, measure), ...);
    (withShape(typename Lengths::Along{}, length, measure), ...);
  };
  allOf(Short<Real>{}, Middle<Real>{}, Long<Real>{}, Longest<Real>{});
  return bytes;
}

static_assert(std::all_of(std::begin(gpuPassLengths), std::end(gpuPassLengths),
                          [](int length) {
                            return sharedBytesOf<float>(length) > 0 && sharedBytesOf<double>(length) > 0;
                          }),
              "grids are made for passes that are not there");

}  // namespace

template <class Real>
bool hasLinePass(int length, int sharedPerBlock) {
  const int bytes = sharedBytesOf<Real>(length);
  return bytes > 0 && bytes <= sharedPerBlock;
}

template <class Real>
void launchLinePass(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                    const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                    const LineFactors<Real>& factors, const Real* transfer, cudaStream_t stream) {
  const auto oneOf = [&]<class... Lengths>(Lengths...) {
    return (LinePasses<Real, Lengths>::launch(pass, length, in, out, lines, batch, turn, factors, transfer,
                                              stream) ||
            ...);
  };
  const bool done = oneOf(Short<Real>{}, Middle<Real>{}, Long<Real>{}, Longest<Real>{});
  if (!done)
    throw Error("Cannot transform on the GPU", "no pass has lines of " + std::to_string(length) + " cells",
                "Report this as an error of the program");
}

template <class Real>
DeviceBuffer<Complex<Real>> turnTables(const std::vector<TurnTable>& tables, cudaStream_t stream) {
  std::vector<Complex<Real>> turns;
  for (const TurnTable& t : tables)
    for (std::int64_t n = 0; n < t.count; ++n) {
      const double angle = -2 * std::numbers::pi * double(n * t.step) / t.length;
      turns.push_back({Real(std::cos(angle)), Real(std::sin(angle))});
    }
  DeviceBuffer<Complex<Real>> device;
  device.upload(turns.data(), std::int64_t(turns.size()), stream);
  check(cudaStreamSynchronize(stream), "preparing line transforms");
  return device;
}

template bool hasLinePass<float>(int, int);
template bool hasLinePass<double>(int, int);
template void launchLinePass<float>(LinePass, int, const float2*, float2*, const Lines&, std::int64_t,
                                    const float2*, const LineFactors<float>&, const float*, cudaStream_t);
template void launchLinePass<double>(LinePass, int, const double2*, double2*, const Lines&, std::int64_t,
                                     const double2*, const LineFactors<double>&, const double*, cudaStream_t);
template DeviceBuffer<float2> turnTables<float>(const std::vector<TurnTable>&, cudaStream_t);
template DeviceBuffer<double2> turnTables<double>(const std::vector<TurnTable>&, cudaStream_t);

}  // namespace spokelab::gpu
