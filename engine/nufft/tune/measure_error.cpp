#include "engine/nufft/tune/measure_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/nufft/exact/nudft.h"

namespace spokelab {
namespace {

constexpr int draws = 8;

template <class Real>
std::vector<std::complex<Real>> normalData(std::mt19937& random, std::int64_t count) {
  std::normal_distribution<double> g(0, 1);
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& v : data) v = {Real(g(random)), Real(g(random))};
  return data;
}

// `count` different indices below n, or all.
std::vector<std::int64_t> randomSelection(std::mt19937& random, std::int64_t n, std::int64_t count) {
  std::vector<std::int64_t> chosen;
  if (count >= n) {
    chosen.resize(std::size_t(n));
    std::iota(chosen.begin(), chosen.end(), std::int64_t(0));
    return chosen;
  }
  std::uniform_int_distribution<std::int64_t> index(0, n - 1);
  while (std::int64_t(chosen.size()) < count) {
    const std::int64_t i = index(random);
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  }
  return chosen;
}

// |error|^2 / max(|y|^2, R |u|^2) of one draw, on the chosen outputs.
template <class Real>
double squareError(const std::vector<std::complex<Real>>& got, const std::vector<std::int64_t>& chosen,
                   const std::vector<cdouble>& exact, const std::vector<cdouble>& input) {
  double error = 0, norm = 0, inputNorm = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    error += std::norm(cdouble(got[std::size_t(chosen[i])]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  for (const cdouble& v : input) inputNorm += std::norm(v);
  const double scale = std::max(norm, double(chosen.size()) * inputNorm);
  return scale > 0 ? error / scale : 0;
}

template <class Real>
double measure(NufftBackend& backend, NufftProblem problem, const NufftOptions& options,
               std::span<const double> points, Direction direction, int outputs, unsigned seed,
               const Progress& progress) {
  problem.batch = 1;
  const auto plan = backend.plan<Real>(problem, options);
  plan->setPoints(points);
  const std::int64_t count = plan->points(), pixels = problem.pixels();
  std::mt19937 random(seed);
  double forward = 0, adjoint = 0;
  for (int draw = 0; draw < draws && count > 0; ++draw) {
    if (direction != Direction::adjoint) {
      progress.checkpoint();
      const auto image = normalData<Real>(random, pixels);
      std::vector<std::complex<Real>> samples(static_cast<std::size_t>(count));
      plan->forward(image.data(), samples.data());
      const std::vector<cdouble> input(image.begin(), image.end());
      const auto chosen = randomSelection(random, count, outputs);
      const auto exact = nudftForward(problem, points, input, chosen, options.threads, progress);
      forward += squareError(samples, chosen, exact, input) / draws;
    }
    if (direction != Direction::forward) {
      progress.checkpoint();
      const auto samples = normalData<Real>(random, count);
      std::vector<std::complex<Real>> image(static_cast<std::size_t>(pixels));
      plan->adjoint(samples.data(), image.data());
      const std::vector<cdouble> input(samples.begin(), samples.end());
      const auto chosen = randomSelection(random, pixels, outputs);
      const auto exact = nudftAdjoint(problem, points, input, chosen, options.threads, progress);
      adjoint += squareError(image, chosen, exact, input) / draws;
    }
  }
  return std::sqrt(std::max(forward, adjoint));
}

// |error|^2 and |y|^2 of all pixels. Pixels where u is not zero count once. The other chosen pixels
// count for all that were not chosen.
struct NormalError {
  double error = 0, norm = 0;

  template <class Real>
  void add(const std::vector<std::complex<Real>>& got, const std::vector<std::int64_t>& chosen,
           const std::vector<cdouble>& exact, std::size_t support) {
    const double others = double(chosen.size() - support);
    const double stand = others > 0 ? double(got.size() - support) / others : 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const double weight = i < support ? 1 : stand;
      error += weight * std::norm(cdouble(got[std::size_t(chosen[i])]) - exact[i]);
      norm += weight * std::norm(exact[i]);
    }
  }
};

template <class Real>
double measureNormal(NufftBackend& backend, NufftProblem problem, const NufftOptions& options,
                     std::span<const double> points, std::span<const double> weights, int outputs,
                     unsigned seed, const Progress& progress) {
  constexpr std::int64_t maxSupport = 8;
  problem.batch = 1;
  const auto plan = backend.plan<Real>(problem, options);
  plan->setPoints(points);
  plan->setWeights(weights);
  const std::int64_t pixels = problem.pixels();
  std::mt19937 random(seed);
  NormalError sum;
  for (int draw = 0; draw < draws && plan->points() > 0; ++draw) {
    progress.checkpoint();
    const auto support = randomSelection(random, pixels, maxSupport);
    const auto values = normalData<Real>(random, std::int64_t(support.size()));
    std::vector<std::complex<Real>> image(static_cast<std::size_t>(pixels));
    for (std::size_t i = 0; i < support.size(); ++i) image[std::size_t(support[i])] = values[i];
    plan->normal(image.data(), image.data());
    std::vector<cdouble> samples =
        nudftForwardOf(problem, points, support, std::vector<cdouble>(values.begin(), values.end()),
                       options.threads, progress);
    for (std::size_t j = 0; j < weights.size(); ++j) samples[j] *= weights[j];
    std::vector<std::int64_t> chosen = support;
    for (const std::int64_t i : randomSelection(random, pixels, outputs))
      if (std::find(support.begin(), support.end(), i) == support.end()) chosen.push_back(i);
    sum.add(image, chosen, nudftAdjoint(problem, points, samples, chosen, options.threads, progress),
            support.size());
  }
  return sum.norm > 0 ? std::sqrt(sum.error / sum.norm) : 0;
}

}  // namespace

double measureError(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, std::span<const double> weights, Direction direction,
                    int outputs, unsigned seed, const Progress& progress) {
  if (direction == Direction::normal)
    return problem.precision == Precision::single
               ? measureNormal<float>(backend, problem, options, points, weights, outputs, seed, progress)
               : measureNormal<double>(backend, problem, options, points, weights, outputs, seed, progress);
  return problem.precision == Precision::single
             ? measure<float>(backend, problem, options, points, direction, outputs, seed, progress)
             : measure<double>(backend, problem, options, points, direction, outputs, seed, progress);
}

int affordableOutputs(const NufftProblem& problem, std::int64_t points) {
  // Bounds the outputs times inputs of all draws.
  constexpr double maxPairs = 4e7;
  constexpr double minOutputs = 4, maxOutputs = 64;
  const double inputs = double(std::max(points, problem.pixels()) + 1);
  return int(std::clamp(maxPairs / draws / inputs, minOutputs, maxOutputs));
}

}  // namespace spokelab
