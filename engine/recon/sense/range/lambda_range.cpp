#include "engine/recon/sense/range/lambda_range.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/sense/group_samples.h"
#include "engine/recon/sense/join_sets.h"
#include "engine/recon/sense/right_side.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/solve/lanczos.h"

namespace spokelab {
namespace {

constexpr std::int64_t unknownsPerTask = 1 << 12;
constexpr const char* cannotRange = "Cannot reconstruct for a range of lambda";

// Numbers of the samples that are left out, as a mask; in words what they are.
std::vector<char> chooseHeldOut(const SenseProblem& problem, const LambdaRangeOptions& options,
                                std::string& words) {
  constexpr std::int64_t minShots = 20;  // fewer, and a shot is a large part of the scan
  const std::int64_t samples = std::int64_t(problem.points.size()) / problem.dims,
                     shots = std::int64_t(problem.shotOffsets.size()) - 1;
  const bool leavesOutShots = shots >= minShots;
  const std::int64_t candidates = leavesOutShots ? shots : samples;
  const std::int64_t count = std::clamp<std::int64_t>(std::llround(options.heldOut * double(candidates)), 1,
                                                      std::max<std::int64_t>(1, candidates / 2));
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(candidates));
  for (std::int64_t i = 0; i < candidates; ++i) numbers[std::size_t(i)] = i;
  std::mt19937_64 random(options.seed);
  for (std::int64_t i = 0; i < count; ++i)
    std::swap(numbers[std::size_t(i)],
              numbers[std::size_t(i) + random() % static_cast<std::uint64_t>(candidates - i)]);
  std::vector<char> mask(std::size_t(samples), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t n = numbers[std::size_t(i)];
    const std::int64_t begin = leavesOutShots ? problem.shotOffsets[std::size_t(n)] : n,
                       end = leavesOutShots ? problem.shotOffsets[std::size_t(n) + 1] : n + 1;
    std::fill(mask.begin() + begin, mask.begin() + end, char(1));
  }
  words = countText(count, leavesOutShots ? "shot" : "sample") + " of " + std::to_string(candidates) +
          " held out";
  return mask;
}

Buffer<double> allWeights(const SenseProblem& problem) {
  if (!problem.weights.empty()) return {problem.weights.begin(), problem.weights.end()};
  return Buffer<double>(problem.points.size() / std::size_t(problem.dims), 1.0);
}

// The problem as vectors in host memory need it, with other weights.
SenseProblem onHost(const SenseProblem& original, Buffer<double> weights) {
  SenseProblem problem = original;
  if (problem.backendMaps) problem.maps = hostMaps(original);
  problem.backendMaps = nullptr;
  problem.mixer = nullptr;
  problem.placedPoints = nullptr;
  problem.hostImage = nullptr;
  problem.weights = SharedValues(std::move(weights));
  return problem;
}

template <class Real>
class RangeRun {
 public:
  using Space = HostSpace<Real>;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  RangeRun(TransformBackend& backend, const SenseProblem& problem, const LambdaRangeOptions& options)
      : space_(problem.nufft.threads),
        problem_(problem),
        options_(options),
        unknowns_(problem.mapSets * product(problem.matrix)),
        backend_(backend) {}

  void solve(LambdaRange& range, const Progress& progress) {
    constexpr double planShare = 0.1;
    makeSensePlan(space_, backend_, problem_, plan_, progress.part(0, planShare));
    const Progress rest = progress.part(planShare, 1);
    RightSide<Space> right(space_, problem_, *plan_.op);
    right.measuresWeighted = true;
    Vector b = space_.make(unknowns_);
    for (std::size_t g = 0; g < plan_.shots.size(); ++g)
      right.add(plan_.shots[g], std::int64_t(g), g > 0, b.data(), rest);
    requireFiniteSums(std::sqrt(space_.dot(b.data(), b.data(), unknowns_)), right.sums());
    range.energy = right.sums().weightedEnergy;
    range.transform = plan_.op->transform(0).description();
    range.notes = plan_.notes;
    bool met = false;
    basis_ = lanczos(
        space_, [&](const Complex* in, Complex* out) { plan_.op->normal(in, out, rest); }, b.data(),
        unknowns_, options_.steps,
        [&](const ShiftedSystems& systems) {
          const double residual = systems.residual(options_.low);
          rest.report(double(systems.size()) / options_.steps,
                      "Step " + std::to_string(systems.size()) + ", residual " + numberText(residual, 2));
          met = residual <= options_.tolerance;
          return !met;
        });
    range.systems = basis_.systems;
    range.ending =
        countText(basis_.systems.size(), "step") + ", " +
        (met ? "the tolerance was met by the smallest lambda"
             : "residual of the smallest lambda " + numberText(basis_.systems.residual(options_.low), 2));
  }

  // sum weights |E x - y|^2 by lambda, over the samples of all coils; `others`: other weights.
  void misfits(const std::vector<double>& lambdas, const Buffer<double>& weights,
               const std::vector<char>& others, std::vector<double>& ofWeights, std::vector<double>& ofOthers,
               const Progress& progress) {
    ofWeights.assign(lambdas.size(), 0);
    ofOthers.assign(lambdas.size(), 0);
    double total = 0, otherTotal = 0;
    for (const ShotGroup& shot : plan_.shots)
      for (std::size_t j = 0; j < shot.samples.size(); ++j) {
        const auto at = std::size_t(shot.samples[j]);
        (!others.empty() && others[at] ? otherTotal : total) += weights[at];
      }
    SenseOperator<Space>& op = *plan_.op;
    Vector x = space_.make(unknowns_);
    Buffer<Complex> room;
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      progress.report(double(l) / double(lambdas.size()), "Misfit of lambda " + numberText(lambdas[l], 2));
      sumOf(lambdas[l], x.data());
      for (std::size_t g = 0; g < plan_.shots.size(); ++g) {
        const ShotGroup& shot = plan_.shots[g];
        const auto count = std::int64_t(shot.samples.size());
        Vector samples = space_.make(op.batch() * count);
        for (std::int64_t c = 0; c < std::int64_t(problem_.coils.size()); c += op.batch()) {
          op.forward(std::int64_t(g), c, x.data(), samples.data(), progress);
          const std::int64_t end =
              std::min<std::int64_t>(c + op.batch(), std::int64_t(problem_.coils.size()));
          for (std::int64_t coil = c; coil < end; ++coil) {
            const Complex* const y =
                groupSamples(problem_.coils[std::size_t(coil)], shot, problem_.nufft.threads, room);
            const Complex* const predicted = samples.data() + (coil - c) * count;
            for (std::int64_t j = 0; j < count; ++j) {
              const auto at = std::size_t(shot.samples[std::size_t(j)]);
              const double square = weights[at] * double(std::norm(predicted[j] - y[j]));
              (!others.empty() && others[at] ? ofOthers : ofWeights)[l] += square;
            }
          }
        }
      }
      if (total > 0) ofWeights[l] /= total;
      if (otherTotal > 0) ofOthers[l] /= otherTotal;
    }
  }

  std::vector<std::vector<cfloat>> vectors() {
    std::vector<std::vector<cfloat>> basisVectors;
    for (Vector& v : basis_.vectors) {
      basisVectors.emplace_back(v.begin(), v.end());
      v = Vector();  // {} would keep its memory
    }
    return basisVectors;
  }

 private:
  void sumOf(double lambda, Complex* x) {
    const std::vector<double> weights = basis_.systems.solution(lambda);
    space_.zero(x, unknowns_);
    for (std::size_t k = 0; k < basis_.vectors.size(); ++k)
      space_.axpy(Real(weights[k]), basis_.vectors[k].data(), x, unknowns_);
  }

  Space space_;
  const SenseProblem& problem_;
  const LambdaRangeOptions& options_;
  std::int64_t unknowns_;
  TransformBackend& backend_;
  SensePlan<Space> plan_;
  LanczosBasis<Space> basis_;
};

void requirePossible(const SenseProblem& problem, const LambdaRangeOptions& options) {
  validate(problem);
  if (!(options.low > 0) || !(options.high > options.low) || !std::isfinite(options.high))
    throw Error(cannotRange, "a range needs two numbers above 0, the smaller one first",
                "Give it as in 1e-4:1 (range)");
  if (options.count < 2 || options.steps < 1)
    throw Error(cannotRange, "it needs two values of lambda and a step", "Give larger numbers");
  if (options.heldOut < 0 || options.heldOut > 0.5)
    throw Error(cannotRange, numberText(100 * options.heldOut, 3) + " % cannot be held out",
                "Hold out 0 to 50 %");
  const double values = double(problem.mapSets) * double(product(problem.matrix)),
               bytes = problem.precision == Precision::double64 ? sizeof(cdouble) + sizeof(cfloat)
                                                                : 2 * sizeof(cfloat);
  requireMemory(values * bytes * options.steps, cannotRange,
                countText(options.steps, "vector") + " of the Krylov space", "Use fewer steps");
}

template <class Real>
LambdaRange rangeOf(TransformBackend& backend, const SenseProblem& given, const LambdaRangeOptions& options,
                    const Progress& progress) {
  constexpr double solveShare = 0.35, misfitShare = 0.15;
  LambdaRange range;
  range.matrix = given.matrix;
  range.mapSets = given.mapSets;
  std::vector<double> lambdas;
  for (int i = 0; i < options.count; ++i)
    lambdas.push_back(options.low * std::pow(options.high / options.low, double(i) / (options.count - 1)));
  const Buffer<double> weights = allWeights(given);
  std::vector<double> misfit, heldOut, none;
  {
    const SenseProblem problem = onHost(given, weights);
    RangeRun<Real> run(backend, problem, options);
    run.solve(range, progress.part(0, solveShare));
    run.misfits(lambdas, weights, {}, misfit, none, progress.part(solveShare, solveShare + misfitShare));
    range.vectors = run.vectors();
  }
  if (options.heldOut > 0) {
    const Progress part = progress.part(solveShare + misfitShare, 1);
    const std::vector<char> mask = chooseHeldOut(given, options, range.heldOut);
    Buffer<double> rest = weights;
    for (std::size_t j = 0; j < rest.size(); ++j)
      if (mask[j]) rest[j] = 0;
    const SenseProblem problem = onHost(given, std::move(rest));
    RangeRun<Real> run(backend, problem, options);
    LambdaRange other;
    run.solve(other, part.part(0, 0.7));
    run.misfits(lambdas, weights, mask, none, heldOut, part.part(0.7, 1));
  }
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    LambdaPoint point{lambdas[i], misfit[i], 0, range.systems.residual(lambdas[i]),
                      heldOut.empty() ? 0 : heldOut[i]};
    for (const double y : range.systems.solution(lambdas[i])) point.square += y * y;
    range.points.push_back(point);
  }
  return range;
}

}  // namespace

std::vector<cfloat> LambdaRange::image(double lambda) const {
  const auto pixels = std::size_t(product(matrix)), unknowns = std::size_t(mapSets) * pixels;
  const std::vector<double> weights = systems.solution(lambda);
  std::vector<cfloat> sum(unknowns);
  parallelFor(std::int64_t(unknowns), 0, unknownsPerTask, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      const float weight = float(weights[k]);
      const cfloat* const vector = vectors[k].data();
      for (std::int64_t i = begin; i < end; ++i) sum[std::size_t(i)] += weight * vector[i];
    }
  });
  if (mapSets > 1) joinSets(sum, pixels);
  return sum;
}

LambdaRange lambdaRange(TransformBackend& backend, const SenseProblem& problem,
                        const LambdaRangeOptions& options, const Progress& progress) {
  requirePossible(problem, options);
  if (problem.precision == Precision::double64) return rangeOf<double>(backend, problem, options, progress);
  return rangeOf<float>(backend, problem, options, progress);
}

}  // namespace spokelab
