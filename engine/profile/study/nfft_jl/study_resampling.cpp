// Each figure races plans of one problem in turns (racePlans) and makes a row for each plan and
// direction: `panel` is the picture, `series` the curve, x and y its point. Times are in ms.
#include "engine/profile/study/nfft_jl/study_resampling.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/study/nfft_jl/peers.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_quartiles.h"

namespace spokelab {
namespace {

constexpr double millisecond = 1e-3;
constexpr int usualHalfWidth = 4;       // m in Figs 3 and 5
constexpr int resamplingOutputs = 128;  // at which the error of Fig. 4 is measured

std::string dimsText(int dims) {
  return std::to_string(dims) + "-D ";
}

// The points in one partition, in the order in which they were given: no blocks.
SchedulerChoice regular() {
  return {Scheduler::graph, allSchedulerParts, 1};
}

// Fig. 3 in one number of dimensions: time over the side of a block, in cells. The regular order
// has no blocks, and becomes a level line over all sides.
void blocksOf(StudyRun& run, const ResamplingCase& c, const Progress& progress) {
  const int dims = c.problem.dims;
  const double alpha = run.request().alphas.front();
  const NufftOptions base = optionsWith(c.problem, alpha, 2 * usualHalfWidth);
  const std::int64_t grid = gridSize(c.problem, alpha, 2 * usualHalfWidth)[0];
  std::vector<NufftOptions> plans;
  std::vector<std::int64_t> sides;  // 0: regular
  for (const int threads : run.request().threads) {
    const std::int64_t factor = dims == 1 ? 8 : 2;
    for (std::int64_t side = dims == 1 ? 64 : dims == 2 ? 16 : 8;; side *= factor) {
      side = std::min(side, grid);
      plans.push_back(base);
      plans.back().threads = threads;
      plans.back().scheduler.kind = Scheduler::tiles;
      plans.back().bins = {side, dims > 1 ? side : 1, dims > 2 ? side : 1};
      sides.push_back(side);
      if (side == grid) break;
    }
    plans.push_back(base);
    plans.back().threads = threads;
    plans.back().scheduler = regular();
    sides.push_back(0);
  }
  const auto runs = racePlans(c.problem, c.points, plans, roundsOf(run.request()), progress);
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const bool adjoint : {false, true}) {
      const std::string threads = countText(plans[i].threads, "thread");
      const auto place = [&](double x) {
        StudyRow row = rowFor(c, (sides[i] ? "blocks, " : "regular, ") + threads, adjoint, runs[i]);
        row.panel = dimsText(dims) + row.direction;
        row.series = row.variant;
        row.x = x;
        row.y = row.seconds / millisecond;
        addTimeQuartiles(row);
        run.add(std::move(row));
      };
      if (sides[i]) {
        place(double(sides[i]));
      } else {  // a level line
        place(double(sides.front()));
        place(double(grid));
      }
    }
}

// The plans of Figs 4 and 5: the precomputations that nfft-jl compares, and ours.
std::vector<Precomputed> compared() {
  std::vector<Precomputed> list = precomputed();
  list.pop_back();  // without precomputation: the baseline of the error alone
  return list;
}

// Rows of one plan on one thread: time over error, and setting points once.
void addSingle(StudyRun& run, StudyRow row, double error) {
  const std::string dims = dimsText(row.dims);
  row.panel = dims + row.direction;
  row.series = row.variant;
  row.x = error;
  row.y = row.seconds / millisecond;
  addTimeQuartiles(row);
  StudyRow set = row;
  run.add(std::move(row));
  if (set.direction == adjointText) return;
  set.direction.clear();
  set.panel = dims + "setting points";
  set.y = set.setUpSeconds / millisecond;
  set.yLow = set.yHigh = 0;
  set.timedOnce = true;
  run.add(std::move(set));
}

void singlePlan(StudyRun& run, const ResamplingCase& c, int halfWidth, const Precomputed& p,
                const Progress& progress) {
  progress.checkpoint();
  NufftOptions options = optionsWith(c.problem, run.request().alphas.front(), 2.0 * halfWidth);
  options.threads = 1;
  p.choose(options);
  try {
    const auto runs =
        racePlans(c.problem, c.points, std::span(&options, 1), roundsOf(run.request()), progress);
    for (const bool adjoint : {false, true})
      addSingle(run, rowFor(c, p.name, adjoint, runs.front()),
                largestRelativeError(c.problem, options, c.points, adjoint, resamplingOutputs, progress));
  } catch (const Error& e) {
    StudyRow row = rowFor(c, p.name, false);
    row.candidate.options = options;
    refuse(row, e);
    run.add(std::move(row));
  }
}

void singlePeer(StudyRun& run, const ResamplingCase& c, int halfWidth, const Peer& peer,
                const Progress& progress) {
  progress.checkpoint();
  const RaceEntry entry{peerOptions(peer, halfWidth, 1), peer.backend};
  double width = 0;
  try {
    const auto runs = racePlans(c.problem, c.points, std::span(&entry, 1), roundsOf(run.request()), progress);
    for (const bool adjoint : {false, true})
      addSingle(run, peerRow(c, peer, halfWidth, adjoint, runs.front()),
                peerError(c, peer, entry.options, adjoint, resamplingOutputs, width, progress));
  } catch (const Error& e) {
    StudyRow row = peerRow(c, peer, halfWidth, false);
    refuse(row, e);
    run.add(std::move(row));
  }
}

}  // namespace

void studyBlocks(StudyRun& run) {
  run.cpu();
  const auto& sizes = run.request().sizes;
  run.steps(3 * sizes.size(), [&](std::size_t i, const Progress& progress) {
    blocksOf(run, resamplingCase(int(i % 3) + 1, sizes[i / 3]), progress);
  });
}

void studySingleThread(StudyRun& run) {
  run.cpu();
  const auto& sizes = run.request().sizes;
  run.steps(3 * sizes.size(), [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = resamplingCase(int(i % 3) + 1, sizes[i / 3]);
    const std::vector<Peer> peers = peersOf(run, c, progress);
    for (int m = minHalfWidth; m <= maxHalfWidth; ++m) {
      for (const Precomputed& p : compared()) singlePlan(run, c, m, p, progress);
      for (const Peer& peer : peers) singlePeer(run, c, m, peer, progress);
    }
  });
}

void studyThreads(StudyRun& run) {
  run.cpu();
  const auto& sizes = run.request().sizes;
  run.steps(sizes.size(), [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = resamplingCase(2, sizes[i]);
    std::vector<RaceEntry> plans;
    std::vector<std::string> names;
    std::vector<const Peer*> peerOf;  // null: ours
    const std::vector<Peer> peers = peersOf(run, c, progress);
    for (const Precomputed& p : compared())
      for (const int threads : run.request().threads) {
        RaceEntry& plan = plans.emplace_back();
        plan.options = optionsWith(c.problem, run.request().alphas.front(), 2 * usualHalfWidth);
        plan.options.threads = threads;
        p.choose(plan.options);
        names.push_back(p.name);
        peerOf.push_back(nullptr);
      }
    for (const Peer& peer : peers)
      for (const int threads : run.request().threads) {
        plans.push_back({peerOptions(peer, usualHalfWidth, threads), peer.backend});
        names.push_back(peer.backend->name());
        peerOf.push_back(&peer);
      }
    const auto runs = racePlans(c.problem, c.points, plans, roundsOf(run.request()), progress);
    for (const bool adjoint : {false, true})
      for (std::size_t k = 0; k < runs.size(); ++k) {
        const int threads = plans[k].options.threads;
        StudyRow row = peerOf[k] ? peerRow(c, *peerOf[k], usualHalfWidth, adjoint, runs[k])
                                 : rowFor(c, names[k], adjoint, runs[k]);
        row.variant = names[k] + ", " + countText(threads, "thread");
        row.panel = row.direction + ", time";
        row.series = names[k];
        row.x = threads;
        row.y = row.seconds / millisecond;
        addTimeQuartiles(row);
        StudyRow efficiency = row;
        run.add(std::move(row));
        // Against the run of the same precomputation, or library, on the fewest threads.
        const auto first = std::size_t(std::find(names.begin(), names.end(), names[k]) - names.begin());
        const RaceRun& base = runs[first];
        const double alone = medianTimings(adjoint ? base.adjoint : base.forward).total;
        efficiency.panel = efficiency.direction + ", efficiency";
        efficiency.y = alone * plans[first].options.threads / (efficiency.seconds * threads);
        addSpeedQuartiles(efficiency);
        run.add(std::move(efficiency));
      }
  });
}

}  // namespace spokelab
