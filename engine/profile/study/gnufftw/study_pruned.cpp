#include "engine/profile/study/gnufftw/study_pruned.h"

#include <algorithm>
#include <cmath>

#include "engine/core/measure/rank_test.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/fft.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/points/grid_layout.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

constexpr int kernelWidth = 8;    // cells; the grid's halo follows from it
constexpr double paperRatio = 2;  // of its upper bound

// Full and pruned transforms of one grid, timed in turns.
void prunedAt(StudyRun& run, int side, const Progress& progress) {
  const double ratio = run.request().alphas.front();
  const bool hasBound = ratio == paperRatio;
  const int half = side / 2, threads = hardwareThreads(), pixelsOfSide = int(std::lround(side / ratio));
  const Index3 grid{side, side, side}, image{pixelsOfSide, pixelsOfSide, pixelsOfSide};
  const auto arrays = 3.0;  // the grid twice, once with its halo, and two images
  requireMemory(arrays * double(sizeof(cfloat)) * double(product(grid)), "Cannot run the study",
                "grids of " + sizeText(grid, 3), "Choose smaller sizes");
  const GridLayout layout = makeGridLayout(3, grid, kernelWidth, kernelWidth, {0, 0, 0}, sizeof(cfloat));
  const std::vector<double> factors =
      deapodization(Kernel(KernelType::kaiserBessel, kernelWidth, ratio), pixelsOfSide, side);
  const BoxFft<float> whole(grid, -1, threads), eighth({half, half, half}, -1, threads);
  const GridFft<float> pruned(image, layout, {factors, factors, factors}, -1, threads);
  Buffer<cfloat> plain(static_cast<std::size_t>(product(grid))),
      padded(static_cast<std::size_t>(layout.cells)),
      pixels(static_cast<std::size_t>(product(image)), cfloat(1));
  std::fill(plain.begin(), plain.end(), cfloat());
  std::fill(padded.begin(), padded.end(), cfloat());
  const auto eight = [&] {
    const auto cells = std::size_t(half) * std::size_t(half) * std::size_t(half);
    for (std::size_t i = 0; i < 8; ++i) eighth.execute(plain.data() + i * cells);
  };
  const std::function<void()> works[] = {[&] { whole.execute(plain.data()); }, eight,
                                         [&] { pruned.toGrid(pixels.data(), padded.data()); },
                                         [&] { pruned.toImage(padded.data(), pixels.data()); }};
  std::vector<double> seconds[std::size(works)];
  const int rounds = roundsOf(run.request());
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(works); ++i) {
      progress.report(double(round + 1) / (rounds + 1), "transforms of " + sizeText(grid, 3));
      std::fill(plain.begin(), plain.end(), cfloat());  // values must not grow beyond bounds
      const double start = now();
      works[i]();
      if (round >= 0) seconds[i].push_back(now() - start);
    }
  const std::pair<const char*, const char*> names[] = {
      {"8 smaller transforms", ""}, {"pruned passes", forwardText}, {"pruned passes", adjointText}};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    StudyRow row;
    row.c.size = side;
    row.variant = names[i].first;
    row.direction = names[i].second;
    row.candidate.backend = "cpu";
    row.candidate.grid = grid;
    row.candidate.options.threads = threads;
    row.candidate.timings[Stage::fft] = row.candidate.timings.total = row.seconds = medianOf(seconds[i + 1]);
    if (i == 0 && !hasBound) {
      row.refused = "the eight transforms are the paper's bound at an oversampling ratio of 2";
      row.seconds = 0;
      row.candidate.timings = {};
      run.add(std::move(row));
      continue;
    }
    row.candidate.options.alpha = ratio;
    row.panel = countText(threads, "thread");
    row.series = row.variant + (row.direction.empty() ? "" : ", " + row.direction);
    row.x = side;
    row.y = row.speedUp = medianOf(seconds[0]) / row.seconds;
    run.add(std::move(row));
  }
}

}  // namespace

void studyPruned(StudyRun& run) {
  run.cpu();
  const auto& sizes = run.request().sizes;
  run.steps(sizes.size(), [&](std::size_t i, const Progress& progress) {
    prunedAt(run, sizes[i] / 2 * 2, progress);  // half of it has to be whole
  });
}

}  // namespace spokelab
