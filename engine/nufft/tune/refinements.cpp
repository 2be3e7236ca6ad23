#include "engine/nufft/tune/refinements.h"

#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/schedule/partition.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/fixed/estimate.h"

namespace spokelab {
namespace {

bool convolves(const TuneRequest& request, const Candidate& c) {
  return request.workload.direction == Direction::normal && isToeplitz(c.options.normal);
}

std::vector<NufftOptions> otherPrecomputations(const TuneRequest& request, const Candidate& best) {
  std::vector<NufftOptions> variants;
  const bool open = request.options.precomputation == Precomputation::automatic;
  // An exhaustive search has timed them all.
  if (convolves(request, best) || request.effort == TuneEffort::exhaustive) return variants;
  if (best.backend != "cpu") {
    NufftOptions linear = best.options;
    linear.precomputation = Precomputation::linear;
    // The other direction keeps the requested method: the winner's may not support linear tables.
    if (request.workload.direction == Direction::forward) linear.spread = request.options.spread;
    if (request.workload.direction == Direction::adjoint) linear.interpolate = request.options.interpolate;
    if (open && linear.spread != Method::tensor && linear.interpolate != Method::tensor &&
        linearTableMayWin(request, best))
      variants.push_back(linear);
    return variants;
  }
  if (!open) return variants;
  // On a CPU, tables and the kernel's formula have never won.
  variants.push_back(best.options);
  variants.back().precomputation = Precomputation::tensor;
  return variants;
}

constexpr int maxPartitions = 64;  // per dimension

// Adds the task graph for several threads, and other partition counts if it wins or all are timed.
void addSchedulers(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const SchedulerChoice& asked = request.options.scheduler;
  const int threads = request.options.threads > 0 ? request.options.threads : hardwareThreads();
  if (best.backend != "cpu" || request.workload.direction == Direction::forward || convolves(request, best) ||
      threads < 2 || best.options.spread == Method::sparse || asked.kind == Scheduler::tiles)
    return;
  const auto add = [&](int partitions) {
    variants.push_back(best.options);
    variants.back().scheduler = {Scheduler::graph, asked.off, partitions};
  };
  const SchedulerChoice& present = best.options.scheduler;
  if (asked.kind == Scheduler::automatic) add(asked.partitions);
  if (asked.partitions != 0) return;
  if (present.kind != Scheduler::graph && request.effort != TuneEffort::exhaustive) return;
  const auto usual = static_cast<int>(partitionsFor(request.problem.dims, threads));
  const int now = present.partitions > 0 ? present.partitions : usual;
  for (const int partitions : {now * 2, now / 2})
    if (partitions > 1 && partitions <= maxPartitions) add(partitions == usual ? 0 : partitions);
}

// Adds a plan that takes images one by one instead of interleaved.
void addWithoutInterleaving(const TuneRequest& request, const Candidate& best,
                            std::vector<NufftOptions>& variants) {
  if (best.backend != "cpu" || convolves(request, best) || request.problem.dims == 1 ||
      request.problem.batch < minInterleavedImages || request.options.interleave != 0)
    return;
  variants.push_back(best.options);
  variants.back().interleave = 1;
}

// Adds longer padded lengths of the GPU's Toeplitz form; tuneToeplitz() compares the CPU's.
void addToeplitzRatios(const TuneRequest& request, const Candidate& best,
                       std::vector<NufftOptions>& variants) {
  constexpr std::size_t maxRatios = 6;
  if (best.backend == "cpu" || request.workload.direction != Direction::normal ||
      request.options.toeplitzAlpha != 0 || best.options.normal != NormalMethod::toeplitz ||
      request.effort == TuneEffort::exhaustive)
    return;
  for (const double alpha : toeplitzAlphas(request.problem, maxRatios)) {
    if (alpha == best.options.toeplitzAlpha) continue;
    variants.push_back(best.options);
    variants.back().toeplitzAlpha = alpha;
  }
}

// Adds other tile sizes, for layouts whose partitions do not follow the points.
void addTiles(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const bool blocked =
      (request.workload.direction != Direction::forward && best.options.spread == Method::blocked) ||
      (request.workload.direction != Direction::adjoint && best.options.interpolate == Method::blocked);
  if (!blocked || convolves(request, best) || request.options.bins != Index3{0, 0, 0} ||
      best.options.scheduler.kind == Scheduler::graph)
    return;
  std::vector<Index3> tiles = request.problem.dims == 1 ? std::vector<Index3>{{1024, 1, 1}, {16384, 1, 1}}
                              : request.problem.dims == 2
                                  ? std::vector<Index3>{{32, 32, 1}, {64, 16, 1}, {128, 32, 1}, {32, 16, 1}}
                                  : std::vector<Index3>{{32, 16, 8}, {16, 16, 16}, {64, 16, 16}, {32, 8, 8}};
  if (mayShareTiles(request, best))
    if (const Index3 shared = sharedTileOf(request, best); shared[0] > 0 && shared != best.options.bins) {
      std::erase(tiles, shared);
      tiles.insert(tiles.begin(), shared);
    }
  const std::size_t tried = request.effort == TuneEffort::exhaustive ? tiles.size() : 1;
  for (std::size_t i = 0; i < tried; ++i) {
    variants.push_back(best.options);
    variants.back().bins = tiles[i];
  }
}

// Adds plans by FFTW's own timing where FFTs take long enough; that time is the plan's.
void addFftEfforts(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  constexpr double minShare = 0.2;        // of an execution
  constexpr double minWholeSeconds = 10;  // of the workload; the planner takes some tenths of a second
  const bool isOpen = fftMeasuresPlans() && request.options.fftEffort == FftEffort::automatic &&
                      !request.options.reproducible && best.options.fftEffort <= FftEffort::estimate;
  if (best.backend != "cpu" || !isOpen || best.timings.fft() < minShare * best.timings.total) return;
  const bool isExhaustive = request.effort == TuneEffort::exhaustive;
  const double executions = request.workload.executions * request.workload.pointSets;
  if (!isExhaustive && best.timings.total * executions < minWholeSeconds) return;
  for (const FftEffort effort : {FftEffort::measure, FftEffort::patient}) {
    if (effort == FftEffort::patient && !isExhaustive) continue;
    variants.push_back(best.options);
    variants.back().fftEffort = effort;
  }
}

void addBins(const TuneRequest& request, const Candidate& best, std::vector<NufftOptions>& variants) {
  const auto hasBins = [](Method m) {
    return m == Method::pointSorted || m == Method::subproblem || m == Method::sector ||
           m == Method::fixedPoint || m == Method::outputDriven;
  };
  const bool spreads = request.workload.direction != Direction::forward && hasBins(best.options.spread),
             interpolates =
                 request.workload.direction != Direction::adjoint && hasBins(best.options.interpolate);
  if (!spreads && !interpolates) return;
  const NufftOptions& asked = request.options;
  if (asked.bins == Index3{0, 0, 0}) {
    const std::vector<Index3> bins =
        request.problem.dims == 1   ? std::vector<Index3>{{256, 1, 1}, {4096, 1, 1}}
        : request.problem.dims == 2 ? std::vector<Index3>{{16, 16, 1}, {64, 16, 1}, {64, 64, 1}}
                                    : std::vector<Index3>{{8, 8, 8}, {16, 16, 2}, {16, 8, 8}, {32, 8, 4}};
    for (const Index3& bin : bins) {
      variants.push_back(best.options);
      variants.back().bins = bin;
    }
  }
  if (asked.maxSubproblem == 0)
    for (const int points : {512, 2048, 8192}) {
      variants.push_back(best.options);
      variants.back().maxSubproblem = points;
    }
}

}  // namespace

std::vector<NufftOptions> refinements(const TuneRequest& request, const Candidate& best) {
  if (isPlugin(best.backend)) return {};
  std::vector<NufftOptions> variants = otherPrecomputations(request, best);
  addSchedulers(request, best, variants);
  if (best.backend == "cpu")
    addTiles(request, best, variants);
  else
    addBins(request, best, variants);
  addWithoutInterleaving(request, best, variants);
  addToeplitzRatios(request, best, variants);
  addFftEfforts(request, best, variants);
  return variants;
}

}  // namespace spokelab
