#include "engine/recon/explore/type3_tuning.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/nufft/type3/type3_exact.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab {
namespace {

constexpr double sweptAlphas[] = {1.25, 1.375, 1.5, 1.75, 2};  // of both grids
constexpr std::int64_t checkedOutputs = 256;

std::int64_t pointsOf(std::span<const double> points, int dims) {
  return std::int64_t(points.size()) / std::max(1, dims);
}

// Random values, and exact sums of the first image at some outputs, which all candidates share.
struct Trial {
  std::vector<cdouble> sources, targets;  // [batch, point]
  std::vector<std::int64_t> selection;
  std::vector<cdouble> exact;  // of forward, or of adjoint where the direction is adjoint
};

std::vector<cdouble> randomValues(std::int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<cdouble> values(std::size_t(count), cdouble(0));
  for (cdouble& v : values) v = {normal(random), normal(random)};
  return values;
}

Trial makeTrial(const Type3Tuning& t, const Progress& progress) {
  const std::int64_t sources = pointsOf(t.sources, t.problem.dims),
                     targets = pointsOf(t.targets, t.problem.dims);
  Trial trial{randomValues(t.problem.batch * sources, 1), randomValues(t.problem.batch * targets, 2), {}, {}};
  if (!t.measureError || sources == 0 || targets == 0) return trial;
  const bool adjoint = t.workload.direction == Direction::adjoint;
  std::mt19937_64 random(3);
  const std::int64_t outputs = adjoint ? sources : targets;
  for (std::int64_t i = 0; i < checkedOutputs; ++i)
    trial.selection.push_back(std::int64_t(random() % std::uint64_t(outputs)));
  const std::vector<cdouble>& in = adjoint ? trial.targets : trial.sources;
  trial.exact =
      type3Exact(t.problem, t.sources, t.targets, {in.data(), std::size_t(adjoint ? targets : sources)},
                 adjoint, trial.selection, t.options.threads, progress);
  return trial;
}

template <class Complex>
double errorOf(const Trial& trial, const std::vector<Complex>& out) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < trial.exact.size(); ++i) {
    difference += std::norm(cdouble(out[std::size_t(trial.selection[i])]) - trial.exact[i]);
    norm += std::norm(trial.exact[i]);
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0;
}

bool fixesGrids(const Type3Tuning& t) {
  return t.options.alpha > 0 || t.options.width > 0;
}

template <class Real>
std::unique_ptr<Type3Transform<Real>> madeBy(Backend& backend, const Type3Tuning& tuning,
                                             const Candidate& candidate) {
  Type3Problem problem = tuning.problem;
  problem.precision = sizeof(Real) == sizeof(float) ? Precision::single : Precision::double64;
  problem.openInner = !fixesGrids(tuning);
  problem.innerAlpha = candidate.innerAlpha;
  NufftOptions options = tuning.options;
  options.alpha = candidate.options.alpha;
  return std::get<std::unique_ptr<Type3Transform<Real>>>(backend.type3(problem, options));
}

// One turn of a candidate: a plan, its points, a run that warms up, and the timed ones.
template <class Real>
void timeTurn(Backend& backend, const Type3Tuning& t, const Trial& trial, Candidate& c,
              const TimingPolicy& policy, const Progress& progress) {
  using Complex = std::complex<Real>;
  constexpr int minRuns = 1, maxRuns = 25;
  double begin = now();
  const auto transform = madeBy<Real>(backend, t, c);
  c.planSeconds = now() - begin;
  begin = now();
  transform->setPoints(t.sources, t.targets);
  c.setPointsSeconds = now() - begin;
  const Type3Info& info = transform->info();
  c.options.alpha = info.outer.alpha;
  c.options.width = info.outer.width;
  c.grid = info.grid;
  c.memory = info.memory;
  c.predicted.relativeL2 = c.predicted.bound = c.predicted.worstPixel = info.error;
  std::vector<Complex> atSources(trial.sources.begin(), trial.sources.end()),
      atTargets(trial.targets.begin(), trial.targets.end());
  const Direction direction = t.workload.direction;
  const auto runOnce = [&] {
    progress.checkpoint();
    StageTimings timings;
    const StageRecorder stages(timings);
    const double start = now();
    if (direction != Direction::adjoint) transform->forward(atSources.data(), atTargets.data());
    if (direction != Direction::forward) transform->adjoint(atTargets.data(), atSources.data());
    timings.total = now() - start;
    return timings;
  };
  const double warm = runOnce().total;
  if (!trial.exact.empty() && !policy.timesOnly)
    c.measuredError = direction == Direction::adjoint ? errorOf(trial, atSources) : errorOf(trial, atTargets);
  const int repeats = policy.trials > 0
                          ? policy.trials
                          : std::clamp(int(policy.seconds / std::max(warm, 1e-9)), minRuns, maxRuns);
  std::vector<StageTimings> runs;
  for (int i = 0; i < repeats; ++i) {
    // An adjoint's outputs are the next forward's inputs: begun anew, they stay finite.
    std::copy(trial.sources.begin(), trial.sources.end(), atSources.begin());
    runs.push_back(runOnce());
  }
  keepRuns(std::move(runs), c);
  c.seconds = c.parts().whole(t.workload);
}

bool servesType3(const Backend* backend) {
  return backend && backend->hasType3();
}

// The parts of a request that wisdom's key and the rounds need.
TuneRequest requestOf(const Type3Tuning& t) {
  TuneRequest request;
  request.problem.dims = t.problem.dims;
  request.problem.precision = t.problem.precision;
  request.problem.sign = t.problem.sign;
  request.problem.batch = t.problem.batch;
  request.options = t.options;
  request.effort = t.effort;
  request.workload = t.workload;
  request.trials = t.trials;
  request.timeLimit = t.timeLimit;
  request.measureError = t.measureError;
  std::string extents;
  for (int d = 0; d < t.problem.dims; ++d) {
    const auto range = [&](std::span<const double> points) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (auto i = std::size_t(d); i < points.size(); i += std::size_t(t.problem.dims)) {
        low = std::min(low, points[i]);
        high = std::max(high, points[i]);
      }
      return std::max(0.0, high - low);
    };
    const double turns = range(t.sources) * range(t.targets);
    const bool known = turns > 0 && std::isfinite(turns);
    extents += (d ? " x 2^" : "2^") + std::to_string(known ? int(std::lround(std::log2(turns))) : 0);
  }
  const auto logOf = [&](std::span<const double> points) {
    const auto count = double(std::max<std::int64_t>(1, pointsOf(points, t.problem.dims)));
    return std::to_string(std::lround(std::log2(count)));
  };
  request.pathClass = "type 3, 2^" + logOf(t.sources) + " to 2^" + logOf(t.targets) + " points, " + extents;
  return request;
}

std::vector<Candidate> candidatesOf(std::span<Backend* const> backends, const Type3Tuning& t) {
  std::vector<Candidate> candidates;
  const bool fixed = fixesGrids(t);
  for (const Backend* const backend : backends) {
    if (!servesType3(backend)) continue;
    for (const double alpha : sweptAlphas) {
      Candidate c;
      c.backend = backend->name();
      c.options = t.options;
      c.options.normal = NormalMethod::later;  // none is applied
      if (!fixed) c.options.alpha = alpha;
      candidates.push_back(std::move(c));
      if (fixed) break;
    }
  }
  if (candidates.empty())
    throw Error("Cannot plan the transform", "no machine that was asked for has transforms of type 3",
                "Choose the backend cpu or cuda");
  return candidates;
}

}  // namespace

template <class Real>
std::unique_ptr<Type3Transform<Real>> makeType3(std::span<Backend* const> backends, const Type3Tuning& tuning,
                                                const Candidate& candidate) {
  return madeBy<Real>(*backendNamed(backends, candidate.backend), tuning, candidate);
}
template std::unique_ptr<Type3Transform<float>> makeType3(std::span<Backend* const>, const Type3Tuning&,
                                                          const Candidate&);
template std::unique_ptr<Type3Transform<double>> makeType3(std::span<Backend* const>, const Type3Tuning&,
                                                           const Candidate&);

TuneResult sweepType3(std::span<Backend* const> backends, const Type3Tuning& t, const Progress& progress,
                      const std::function<void(const Candidate&)>& seen) {
  constexpr double trialShare = 0.1;
  checkOptions(t.problem, t.options);
  const auto trial = std::make_shared<const Trial>(makeTrial(t, progress.part(0, trialShare)));
  const auto entryOf = [&](Candidate c) {
    Backend* const backend = backendNamed(backends, c.backend);
    return RoundEntry{
        std::move(c),
        {},
        [t, trial, backend](Candidate& timed, const TimingPolicy& policy, const Progress& part) {
          try {
            if (t.problem.precision == Precision::single)
              timeTurn<float>(*backend, t, *trial, timed, policy, part);
            else
              timeTurn<double>(*backend, t, *trial, timed, policy, part);
          } catch (const Error& e) {
            timed.refused = e.reason();
          }
        }};
  };
  std::vector<RoundEntry> entries;
  for (Candidate& c : candidatesOf(backends, t)) entries.push_back(entryOf(std::move(c)));
  FollowingEntries innerGrids;
  if (!fixesGrids(t))
    innerGrids = [&](const Candidate& fastest) {
      std::vector<RoundEntry> inner;
      for (const double alpha : sweptAlphas) {
        Candidate c;
        c.backend = fastest.backend;
        c.options = fastest.options;
        c.options.width = 0;
        c.innerAlpha = alpha;
        inner.push_back(entryOf(std::move(c)));
      }
      return inner;
    };
  return timeEntries(std::move(entries), requestOf(t), progress.part(trialShare, 1), seen, innerGrids);
}

TuneResult tuneType3(std::span<Backend* const> backends, const Type3Tuning& t, Wisdom* wisdom,
                     const Progress& progress, const std::function<void(const Candidate&)>& seen) {
  checkOptions(t.problem, t.options);
  const TuneRequest request = requestOf(t);
  // Both ratios follow by predicted work.
  if (t.effort == TuneEffort::estimate || t.options.reproducible) {
    TuneResult result;
    result.workload = t.workload;
    result.candidates.push_back(candidatesOf(backends, t).front());
    result.candidates.front().options.alpha = t.options.alpha;
    result.best = 0;
    result.reason = "Both ratios by predicted work; nothing was timed";
    return result;
  }
  const std::string key =
      wisdom ? Wisdom::key(std::vector<NufftBackend*>(backends.begin(), backends.end()), request)
             : std::string();
  if (wisdom)
    if (std::optional<Candidate> known = wisdom->find(key);
        known && servesType3(backendNamed(backends, known->backend))) {
      TuneResult result;
      result.workload = t.workload;
      result.candidates.push_back(std::move(*known));
      result.best = 0;
      result.fromWisdom = true;
      result.reason = reasonFor(result, request);
      if (seen) seen(result.candidates.front());
      return result;
    }
  Type3Tuning quick = t;
  constexpr double quickSeconds = 0.5;  // for each of the two grids
  if (quick.timeLimit == 0 && quick.trials == 0 && t.effort == TuneEffort::measure)
    quick.timeLimit = quickSeconds;
  TuneResult result = sweepType3(backends, quick, progress, seen);
  if (result.best < 0 && !result.cancelled) {
    std::string why;
    for (const Candidate& c : result.candidates)
      if (!c.refused.empty()) why = c.refused;
    throw Error("Cannot plan the transform", why.empty() ? "no plan meets the accuracy" : why,
                "Ask for less accuracy, or check the units of the points");
  }
  if (wisdom && result.best >= 0 && !result.cancelled)
    wisdom->remember(key, result.candidates[std::size_t(result.best)]);
  return result;
}

}  // namespace spokelab
