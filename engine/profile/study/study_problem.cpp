#include "engine/profile/study/study_problem.h"

#include <cmath>
#include <random>

#include "engine/nufft/tune/timing.h"
#include "engine/profile/study/study_points.h"

namespace spokelab {

ResamplingCase resamplingCase(int dims, int n) {
  ResamplingCase c;
  const auto whole = std::int64_t{n} * n * n;
  const std::int64_t side = dims == 1 ? whole : dims == 2 ? std::llround(std::pow(n, 1.5)) : n;
  c.problem.dims = dims;
  c.problem.size = {side, dims > 1 ? side : 1, dims > 2 ? side : 1};
  c.problem.precision = Precision::double64;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  c.points.resize(static_cast<std::size_t>(dims * c.problem.pixels()));
  for (double& k : c.points) k = uniform(random);
  c.c = {"random", int(side), 1, 0, c.problem.pixels()};
  return c;
}

namespace {

ResamplingCase volumeCase(const std::string& pattern, int n, double acceleration,
                          std::vector<double> points) {
  ResamplingCase c;
  c.problem.dims = 3;
  c.problem.size = {n, n, n};
  c.points = std::move(points);
  c.c = {pattern, n, acceleration, 0, std::int64_t(c.points.size() / 3)};
  return c;
}

}  // namespace

ResamplingCase patternCase(const std::string& pattern, int n, double acceleration) {
  return volumeCase(pattern, n, acceleration, studyPoints(pattern, n, acceleration));
}

ResamplingCase interleavedCase(const std::string& pattern, int n, double acceleration) {
  return volumeCase(pattern, n, acceleration, interleavedPoints(pattern, n, acceleration));
}

ResamplingCase boxCase(const std::string& pattern, int dims, int n, double acceleration,
                       Precision precision) {
  ResamplingCase c;
  c.problem.dims = dims;
  c.problem.size = {n, n, dims > 2 ? n : 1};
  c.problem.precision = precision;
  c.points = boxPoints(pattern, dims, n, acceleration);
  c.c = {pattern, n, acceleration, 0, std::int64_t(c.points.size()) / dims};
  return c;
}

void Precomputed::choose(NufftOptions& options) const {
  options.precomputation = precomputation;
  options.spread = options.interpolate = sparse ? Method::sparse : Method::blocked;
}

const std::vector<Precomputed>& precomputed() {
  static const std::vector<Precomputed> all = {{"polynomial", Precomputation::polynomial},
                                               {"tensor", Precomputation::tensor},
                                               {"linear", Precomputation::linear},
                                               {"full", Precomputation::polynomial, true},
                                               {"none", Precomputation::none}};
  return all;
}

StudyRow rowFor(const ResamplingCase& c, const std::string& variant, bool adjoint) {
  StudyRow row;
  row.c = c.c;
  row.variant = variant;
  row.dims = c.problem.dims;
  row.direction = adjoint ? "adjoint" : "forward";
  row.candidate.backend = "cpu";
  return row;
}

StudyRow rowFor(const ResamplingCase& c, const std::string& variant, bool adjoint, const RaceRun& run) {
  StudyRow row = rowFor(c, variant, adjoint);
  row.candidate.options = run.info.options;
  row.candidate.grid = run.info.grid;
  row.candidate.predicted = run.info.error;
  row.candidate.memory = run.info.memory;
  row.candidate.setPointsSeconds = row.setUpSeconds = run.setPointsSeconds;
  row.candidate.timings = medianTimings(adjoint ? run.adjoint : run.forward);
  row.candidate.repeats = int(run.adjoint.size());
  for (const StageTimings& t : adjoint ? run.adjoint : run.forward) row.candidate.runs.push_back(t.total);
  row.seconds = row.candidate.timings.total;
  row.c.accuracy = run.info.options.accuracy;
  return row;
}

void refuse(StudyRow& row, const Error& error) {
  row.refused = error.reason();
  row.panel.clear();
}

StudyRow refusedRow(const std::string& backend, const std::string& variant) {
  StudyRow row;
  row.variant = variant;
  row.candidate.backend = backend;
  row.refused = kindOf(backend) == BackendKind::gpu ? "it needs a GPU, and none takes part"
                                                    : "backend " + backend + " takes no part";
  return row;
}

Candidate timeFixed(NufftBackend& backend, const ResamplingCase& c, const NufftOptions& options,
                    Direction direction, const StudyRequest& request, bool measureError,
                    const Progress& progress) {
  Candidate candidate;
  candidate.backend = backend.name();
  candidate.options = options;
  const auto choose = [&](Method& method, bool spread) {
    const auto has =
        spread ? backend.spreadMethods(c.problem, options) : backend.interpolateMethods(c.problem, options);
    // A method that does not serve says why when its plan is made.
    if (!has.empty()) method = has.front();
  };
  TuneRequest timed;
  timed.problem = c.problem;
  timed.points = c.points;
  timed.options = options;
  timed.workload.direction = direction;
  timed.mustTime = true;
  timed.trials = request.trials;
  timed.measureError = measureError;
  try {
    choose(candidate.options.spread, true);
    choose(candidate.options.interpolate, false);
    timeCandidate(backend, timed, candidate, progress);
  } catch (const Error& e) {
    candidate.refused = e.reason();
  }
  return candidate;
}

int roundsOf(const StudyRequest& request) {
  constexpr int usual = 5;
  return request.trials > 0 ? request.trials : usual;
}

}  // namespace spokelab
