#include "engine/profile/study/gnufftw/study_pruned.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
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
constexpr double paperRatio = 2;  // the oversampling ratio of the paper's bound, eight transforms

// Full, eight smaller and pruned transforms of one cubic grid of `side` cells on the CPU, timed in
// turns. Round -1 warms up and is not kept.
GridFftRounds cpuRounds(int side, int pixelsOfSide, int rounds, int threads, const Progress& progress) {
  const int half = side / 2;
  const Index3 grid{side, side, side}, image{pixelsOfSide, pixelsOfSide, pixelsOfSide};
  const auto arrays = 3.0;  // the grid twice, once with its halo, and two images
  requireMemory(arrays * double(sizeof(cfloat)) * double(product(grid)), "Cannot run the study",
                "grids of " + sizeText(grid, 3), "Choose smaller sizes");
  const GridLayout layout = makeGridLayout(3, grid, kernelWidth, kernelWidth, {0, 0, 0}, sizeof(cfloat));
  const std::vector<double> factors = deapodization(
      Kernel(KernelType::kaiserBessel, kernelWidth, double(side) / pixelsOfSide), pixelsOfSide, side);
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
  GridFftRounds result;
  result.library = countText(threads, "thread");
  std::vector<double>* const seconds[] = {&result.whole, &result.eight, &result.toGrid, &result.toImage};
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(works); ++i) {
      progress.report(double(round + 1) / (rounds + 1), "transforms of " + sizeText(grid, 3));
      std::fill(plain.begin(), plain.end(), cfloat());  // values must not grow beyond bounds
      const double start = now();
      works[i]();
      if (round >= 0) seconds[i]->push_back(now() - start);
    }
  return result;
}

// Adds a row for each kind of transform: its median time, and its gain over the full transform.
void addRounds(StudyRun& run, NufftBackend& backend, int side, const GridFftRounds& rounds) {
  const double ratio = run.request().alphas.front();
  const bool hasBound = ratio == paperRatio, onCpu = backend.kind() == BackendKind::cpu;
  const struct {
    const char *variant, *direction;
    const std::vector<double>& seconds;
  } parts[] = {{"8 smaller transforms", "", rounds.eight},
               {"pruned passes", forwardText, rounds.toGrid},
               {"pruned passes", adjointText, rounds.toImage}};
  for (const auto& part : parts) {
    StudyRow row;
    row.c.size = side;
    row.variant = part.variant;
    row.direction = part.direction;
    row.candidate.backend = backend.name();
    row.candidate.grid = {side, side, side};
    if (onCpu) row.candidate.options.threads = hardwareThreads();
    if (row.direction.empty() && !hasBound) {
      row.refused = "the eight transforms are the paper's bound at an oversampling ratio of 2";
      run.add(std::move(row));
      continue;
    }
    row.candidate.timings[Stage::fft] = row.candidate.timings.total = row.seconds = medianOf(part.seconds);
    row.candidate.repeats = int(part.seconds.size());
    row.candidate.runs = part.seconds;
    row.candidate.options.alpha = ratio;
    row.panel = rounds.library;
    row.series = row.variant + (row.direction.empty() ? "" : ", " + row.direction);
    row.x = side;
    row.y = row.speedUp = medianOf(rounds.whole) / row.seconds;
    run.add(std::move(row));
  }
}

// The backends whose grid transforms can be timed: CPU and GPUs, not plug-ins.
std::vector<NufftBackend*> transformers(const StudyRun& run) {
  std::vector<NufftBackend*> found;
  for (NufftBackend* backend : run.backends())
    if (backend->kind() == BackendKind::cpu || backend->kind() == BackendKind::gpu) found.push_back(backend);
  if (found.empty())
    throw Error("Cannot run the study \"" + run.request().study + "\"",
                "it times the FFTs of CPU and GPU, and neither takes part", "Leave the backend open");
  return found;
}

void prunedAt(StudyRun& run, NufftBackend& backend, int side, const Progress& progress) {
  const int pixels = int(std::lround(side / run.request().alphas.front())), rounds = roundsOf(run.request());
  if (backend.kind() == BackendKind::cpu)
    return addRounds(run, backend, side, cpuRounds(side, pixels, rounds, hardwareThreads(), progress));
  StudyRow row;
  row.c.size = side;
  row.variant = "8 smaller transforms";
  row.candidate.backend = backend.name();
  try {
    const GridFftRounds timed = backend.gridFftRounds(side, pixels, rounds, progress);
    if (!timed.whole.empty()) return addRounds(run, backend, side, timed);
    row.refused = "it has no such transforms";
  } catch (const Error& e) {
    row.refused = e.reason();
  }
  run.add(std::move(row));
}

}  // namespace

void studyPruned(StudyRun& run) {
  const auto& sizes = run.request().sizes;
  const std::vector<NufftBackend*> backends = transformers(run);
  run.steps(sizes.size() * backends.size(), [&](std::size_t i, const Progress& progress) {
    // An even side: the eight transforms have half of it.
    prunedAt(run, *backends[i % backends.size()], sizes[i / backends.size()] / 2 * 2, progress);
  });
}

}  // namespace spokelab
