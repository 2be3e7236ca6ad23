#include "engine/nufft/tune/cost_model.h"

#include <algorithm>
#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/toeplitz/toeplitz.h"

namespace spokelab {
namespace {

// Guesses before anything was timed: seconds per unit of work on one CPU thread, and on a GPU as a whole.
struct Guess {
  double interpolation, fft, rest, convolution;
};
constexpr Guess cpuGuess{4e-10, 2.5e-10, 1e-9, 5e-10};
constexpr Guess gpuGuess{2e-12, 8e-13, 3e-12, 8e-13};
constexpr double doubleFactor = 1.8;    // double against single precision
constexpr double pointOverhead = 24;    // of a point, in kernel cells: its record and its polynomials
constexpr double callOverhead = 2e4;    // of a call, in grid cells
constexpr std::size_t remembered = 48;  // observations a constant
constexpr double nearness = 0.05;       // logarithmic distance below which an observation counts as the same

std::int64_t pointsOf(const TuneRequest& request) {
  return std::int64_t(request.points.size()) / request.problem.dims;
}

}  // namespace

CostModel& CostModel::shared() {
  static CostModel model;
  return model;
}

CostModel::Terms CostModel::terms(const TuneRequest& request, const Candidate& candidate,
                                  std::int64_t points) {
  const NufftProblem& p = request.problem;
  const double batch = double(p.batch);
  const double cells = double(product(candidate.grid));
  const double window = std::pow(std::ceil(candidate.options.width), p.dims) + pointOverhead;
  const bool forward = request.direction != Direction::adjoint,
             adjoint = request.direction != Direction::forward;
  const double transforms = double(forward) + double(adjoint);

  const bool cpu = candidate.backend == "cpu";
  const int threads = candidate.options.threads > 0 ? candidate.options.threads : hardwareThreads();
  Guess guess = cpu ? cpuGuess : gpuGuess;
  const double factor = (p.precision == Precision::single ? 1 : doubleFactor) / (cpu ? threads : 1);
  const std::string key = candidate.backend + " " + std::to_string(p.dims) +
                          (p.precision == Precision::single ? " float " : " double ") +
                          (cpu ? std::to_string(threads) + " " : "");
  Terms t;
  const NormalMethod normal = candidate.options.normal;
  if (request.direction == Direction::normal && isToeplitz(normal)) {
    const bool shifted = normal == NormalMethod::toeplitzShifted;
    const double length =
        double(product(shifted ? p.size : toeplitzLengths(p, candidate.options.toeplitzAlpha)));
    const double shifts = shifted ? std::pow(2, p.dims) : 1;
    t.fft = {key + std::string(normalMethodName(normal)), batch * shifts * length * std::log2(length + 1),
             factor * guess.convolution};
    return t;
  }
  t.spread = {key + "spread " + std::string(methodName(candidate.options.spread)),
              adjoint ? batch * double(points) * window : 0, factor * guess.interpolation};
  t.interpolate = {key + "interpolate " + std::string(methodName(candidate.options.interpolate)),
                   forward ? batch * double(points) * window : 0, factor * guess.interpolation};
  t.fft = {key + "fft", transforms * batch * cells * std::log2(cells + 1), factor * guess.fft};
  t.rest = {key + "rest " + std::string(directionName(request.direction)),
            transforms * (batch * cells + callOverhead), factor * guess.rest};
  return t;
}

double CostModel::firstGuess(const TuneRequest& request, const Candidate& candidate, std::int64_t points) {
  double seconds = 0;
  const Terms t = terms(request, candidate, points);
  for (const Term& term : {t.spread, t.interpolate, t.fft, t.rest}) seconds += term.work * term.guess;
  return seconds;
}

// Rates of observations, weighted by how near their amount of work is.
double CostModel::seconds(const Term& term) const {
  if (term.work <= 0) return 0;
  const auto found = observations_.find(term.key);
  if (found == observations_.end()) return term.work * term.guess;
  double weights = 0, sum = 0;
  for (const Observation& o : found->second) {
    const double distance = std::abs(std::log(term.work) - o.work) + nearness;
    const double weight = 1 / (distance * distance);
    weights += weight;
    sum += weight * o.rate;
  }
  return term.work * std::exp(sum / weights);
}

void CostModel::observe(const Term& term, double seconds) {
  if (term.work <= 0 || !(seconds > 0)) return;
  auto& list = observations_[term.key];
  if (list.size() >= remembered) list.erase(list.begin());
  list.push_back({std::log(term.work), std::log(seconds / term.work)});
}

double CostModel::predict(const TuneRequest& request, const Candidate& candidate) const {
  const Terms t = terms(request, candidate, pointsOf(request));
  const std::lock_guard lock(mutex_);
  return seconds(t.spread) + seconds(t.interpolate) + seconds(t.fft) + seconds(t.rest);
}

void CostModel::learn(const TuneRequest& request, const Candidate& candidate) {
  if (!candidate.timed()) return;
  const Terms t = terms(request, candidate, pointsOf(request));
  const StageTimings& s = candidate.timings;
  const std::lock_guard lock(mutex_);
  observe(t.spread, s[Stage::spread]);
  observe(t.interpolate, s[Stage::interpolate]);
  observe(t.fft, s.fft());
  observe(t.rest, s.rest());
}

void CostModel::forget() {
  const std::lock_guard lock(mutex_);
  observations_.clear();
}

}  // namespace spokelab
