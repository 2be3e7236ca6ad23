#include "engine/profile/study/study_tuned.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/sweep.h"
#include "engine/profile/study/study_points.h"

namespace spokelab {
namespace {

constexpr double lowAlpha = 1.125, highAlpha = 2;  // [gnufftw] fig. 8
constexpr double millisecond = 1e-3, nanosecond = 1e-9;

// What a variant fixes before the rest is tuned.
struct Variant {
  std::string name;
  NufftBackend* backend = nullptr;
  NufftOptions options;
  Direction direction = Direction::both;
  bool sweep = false;  // a row for each alpha instead of the best one
};

enum class Kind { alpha, bestAlpha, fixedAlpha, implementations, spreading, interpolation };

// Methods of one direction that a backend has for the problem; its own choice where all are alike.
std::vector<Method> methodsOf(const NufftBackend& backend, const NufftProblem& problem,
                              const NufftOptions& options, bool spread) {
  try {
    return spread ? backend.spreadMethods(problem, options) : backend.interpolateMethods(problem, options);
  } catch (const Error&) {
    return {};  // the accuracy is out of reach
  }
}

std::string nameOf(const NufftBackend& backend, Method spread, Method interpolate, bool both) {
  std::string name = backend.name() + " " + std::string(methodName(spread));
  if (both && interpolate != spread) name += "/" + std::string(methodName(interpolate));
  return name;
}

// One variant for each method of `spread`; the other direction uses the same where it can, else the
// backend's first.
std::vector<Variant> methodVariants(std::span<NufftBackend* const> backends, const NufftProblem& problem,
                                    const NufftOptions& options, Direction direction) {
  std::vector<Variant> variants;
  for (NufftBackend* backend : backends) {
    const bool spreading = direction != Direction::forward;
    const auto own = methodsOf(*backend, problem, options, spreading);
    const auto other = methodsOf(*backend, problem, options, !spreading);
    if (other.empty()) continue;
    for (const Method method : own) {
      const bool same = std::find(other.begin(), other.end(), method) != other.end();
      const Method partner = same ? method : other.front();
      Variant v;
      v.backend = backend;
      v.options = options;
      v.options.spread = spreading ? method : partner;
      v.options.interpolate = spreading ? partner : method;
      v.direction = direction;
      v.name = nameOf(*backend, method, partner, direction == Direction::both);
      variants.push_back(std::move(v));
    }
  }
  return variants;
}

std::vector<Variant> variantsOf(Kind kind, std::span<NufftBackend* const> backends,
                                const NufftProblem& problem, const NufftOptions& options) {
  switch (kind) {
    case Kind::spreading:
      return methodVariants(backends, problem, options, Direction::adjoint);
    case Kind::interpolation:
      return methodVariants(backends, problem, options, Direction::forward);
    default:
      break;
  }
  std::vector<Variant> variants = methodVariants(backends, problem, options, Direction::both);
  if (kind == Kind::alpha)
    for (Variant& v : variants) v.sweep = true;
  if (kind == Kind::fixedAlpha) {
    const std::vector<Variant> tuned = std::move(variants);
    variants.clear();
    for (const Variant& v : tuned) {
      variants.push_back(v);
      variants.back().name += ", tuned";
      for (const double alpha : {lowAlpha, highAlpha}) {
        variants.push_back(v);
        variants.back().options.alpha = alpha;
        variants.back().name += alpha == lowAlpha ? ", alpha 1.125" : ", alpha 2";
      }
    }
  }
  if (kind == Kind::implementations)
    for (NufftBackend* backend : backends)
      for (const NormalMethod method : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
        Variant v;
        v.backend = backend;
        v.options = options;
        v.options.normal = method;
        v.direction = Direction::normal;
        v.name = backend->name() + " " + std::string(normalMethodName(method));
        variants.push_back(std::move(v));
      }
  return variants;
}

StudyRow rowOf(const StudyCase& c, const std::string& name, const Candidate& candidate) {
  StudyRow row;
  row.c = c;
  row.variant = name;
  row.candidate = candidate;
  row.transferSeconds = candidate.transferSeconds;
  row.seconds = candidate.timings.total;
  row.setUpSeconds = candidate.setPointsSeconds;
  row.refused = candidate.refused;
  return row;
}

std::vector<StudyRow> runVariant(const StudyCase& c, const Variant& v, const TuneRequest& request,
                                 const Progress& progress) {
  std::vector<StudyRow> rows;
  NufftBackend* const backends[] = {v.backend};
  try {
    if (v.sweep) {
      SweepRequest over;
      over.base = request;
      for (const Candidate& candidate : sweep(backends, over, progress).candidates)
        rows.push_back(rowOf(c, v.name, candidate));
      return rows;
    }
    const TuneResult result = tune(backends, request, nullptr, progress);
    if (result.cancelled) throw Cancelled{};
    if (result.best >= 0) rows.push_back(rowOf(c, v.name, result.candidates[std::size_t(result.best)]));
  } catch (const Error& e) {
    StudyRow row;
    row.c = c;
    row.variant = v.name;
    row.candidate.backend = v.backend->name();
    row.candidate.options = v.options;
    row.refused = e.reason();
    rows.push_back(std::move(row));
  }
  return rows;
}

// Over the fastest of the CPU's rows of the same case.
void addSpeedUps(std::vector<StudyRow>& rows, std::size_t first) {
  double cpu = 0;
  for (std::size_t i = first; i < rows.size(); ++i)
    if (rows[i].candidate.backend == "cpu" && rows[i].refused.empty() && rows[i].seconds > 0)
      cpu = cpu == 0 ? rows[i].seconds : std::min(cpu, rows[i].seconds);
  for (std::size_t i = first; i < rows.size(); ++i)
    if (rows[i].seconds > 0) rows[i].speedUp = cpu / rows[i].seconds;
}

void place(Kind kind, StudyRow& row) {
  const std::string accuracy = ", accuracy " + numberText(row.c.accuracy, 3),
                    acceleration = ", R " + numberText(row.c.acceleration, 3);
  row.panel = row.c.pattern + acceleration + accuracy;
  row.series = row.variant;
  row.x = row.c.size;
  switch (kind) {
    case Kind::alpha:
      row.x = row.candidate.options.alpha;
      row.y = row.seconds / millisecond;
      row.panel += ", N " + std::to_string(row.c.size);
      return;
    case Kind::bestAlpha:
      row.panel = row.variant + ", N " + std::to_string(row.c.size);
      row.series = row.c.pattern + accuracy;
      row.x = row.c.acceleration;
      row.y = row.candidate.options.alpha;
      return;
    case Kind::spreading:
    case Kind::interpolation:
      row.y = row.c.points > 0 ? row.seconds / double(row.c.points) / nanosecond : 0;
      return;
    default:
      row.y = row.speedUp;
  }
}

void runCase(StudyRun& run, Kind kind, const StudyCase& c, std::span<const double> points,
             const Progress& progress) {
  TuneRequest base;
  base.problem.dims = 3;
  base.problem.size = {c.size, c.size, c.size};
  base.points = points;
  base.options.accuracy = c.accuracy;
  base.trials = run.request().trials;
  const auto variants = variantsOf(kind, run.backends(), base.problem, base.options);
  std::vector<StudyRow> rows;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    TuneRequest own = base;
    own.options = variants[i].options;
    own.direction = variants[i].direction;
    const double parts = double(variants.size());
    for (StudyRow& row :
         runVariant(c, variants[i], own, progress.part(double(i) / parts, double(i + 1) / parts)))
      rows.push_back(std::move(row));
  }
  addSpeedUps(rows, 0);
  for (StudyRow& row : rows) {
    if (row.refused.empty()) place(kind, row);
    run.add(std::move(row));
  }
}

void runTuned(StudyRun& run, Kind kind) {
  const StudyRequest& request = run.request();
  const std::size_t sizes = request.sizes.size(), rs = request.accelerations.size(),
                    accuracies = request.accuracies.size();
  run.steps(request.patterns.size() * sizes * rs, [&](std::size_t i, const Progress& progress) {
    const std::string& pattern = request.patterns[i / (sizes * rs)];
    const int size = request.sizes[i / rs % sizes];
    const double acceleration = request.accelerations[i % rs];
    const std::vector<double> points = studyPoints(pattern, size, acceleration);
    for (std::size_t k = 0; k < accuracies; ++k)
      runCase(run, kind,
              {pattern, size, acceleration, request.accuracies[k], std::int64_t(points.size() / 3)}, points,
              progress.part(double(k) / double(accuracies), double(k + 1) / double(accuracies)));
  });
}

}  // namespace

void studyAlpha(StudyRun& run) {
  runTuned(run, Kind::alpha);
}
void studyBestAlpha(StudyRun& run) {
  runTuned(run, Kind::bestAlpha);
}
void studyFixedAlpha(StudyRun& run) {
  runTuned(run, Kind::fixedAlpha);
}
void studyImplementations(StudyRun& run) {
  runTuned(run, Kind::implementations);
}
void studySpreading(StudyRun& run) {
  runTuned(run, Kind::spreading);
}
void studyInterpolation(StudyRun& run) {
  runTuned(run, Kind::interpolation);
}

}  // namespace spokelab
