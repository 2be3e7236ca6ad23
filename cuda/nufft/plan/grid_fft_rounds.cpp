#include "cuda/nufft/plan/grid_fft_rounds.h"

#include <array>
#include <functional>
#include <iterator>

#include "cuda/device/buffer.h"
#include "cuda/nufft/fft/grid_fft.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/deapodization.h"

namespace spokelab::gpu {
namespace {

constexpr double kernelWidth = 8;  // cells: any does, the factors of the image follow from it
constexpr int halves = 8;          // transforms of half the side

}  // namespace

GridFftRounds gridFftRounds(const DeviceInfo& device, int side, int pixels, int rounds,
                            const Progress& progress) {
  const std::array<int, 3> grid{side, side, side}, half{side / 2, side / 2, side / 2},
      image{pixels, pixels, pixels};
  const std::int64_t cells = std::int64_t(side) * side * side,
                     ofImage = std::int64_t(pixels) * pixels * pixels;
  const std::string size = sizeText(Index3{side, side, side}, 3);
  constexpr double arrays = 3;  // the grid, an image, and cuFFT's work area
  if (arrays * double(cells) * sizeof(float2) > double(freeMemory()))
    throw Error("Cannot time transforms on the GPU", "grids of " + size + " do not fit into its free memory",
                "Choose smaller sizes, or free memory of the GPU");
  const Stream stream;
  const FftPlan whole(3, grid, 1, false), eight(3, half, halves, false);
  const std::vector<double> factors =
      deapodization(Kernel(KernelType::kaiserBessel, kernelWidth, double(side) / pixels), pixels, side);
  const GridFft<float> passes(3, image, grid, 1, {factors, factors, factors}, device.limits, stream.get());
  DeviceBuffer<float2> onGrid(cells), ofPixels(ofImage);
  DeviceBuffer<int> notFinite(1);
  ofPixels.zero(stream.get());
  EventPool pool;
  StageClock unheard(pool, stream.get(), false);
  const std::function<void()> works[] = {
      [&] { whole.execute(onGrid.data(), onGrid.data(), -1, stream.get()); },
      [&] { eight.execute(onGrid.data(), onGrid.data(), -1, stream.get()); },
      [&] {
        passes.toGrid(ofPixels.data(), onGrid.data(), 1, -1, notFinite.data(), nullptr, unheard,
                      stream.get());
      },
      [&] {
        passes.toImage(onGrid.data(), ofPixels.data(), 1, -1, notFinite.data(), unheard, stream.get());
      }};
  GridFftRounds result;
  result.library = "cuFFT";
  std::vector<double>* const seconds[] = {&result.whole, &result.eight, &result.toGrid, &result.toImage};
  Event begin, end;
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(works); ++i) {
      progress.report(double(round + 1) / (rounds + 1), "transforms of " + size);
      onGrid.zero(stream.get());  // values must not grow beyond bounds
      begin.record(stream.get());
      works[i]();
      end.record(stream.get());
      end.synchronize();
      if (round >= 0) seconds[i]->push_back(end.secondsSince(begin));
    }
  return result;
}

}  // namespace spokelab::gpu
