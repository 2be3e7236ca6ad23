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

// |error|^2 / max(|y|^2, R |u|^2) of one draw, over the chosen outputs.
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

}  // namespace

double measureError(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, Direction direction, int outputs, unsigned seed,
                    const Progress& progress) {
  return problem.precision == Precision::single
             ? measure<float>(backend, problem, options, points, direction, outputs, seed, progress)
             : measure<double>(backend, problem, options, points, direction, outputs, seed, progress);
}

int affordableOutputs(const NufftProblem& problem, std::int64_t points) {
  // Pairs of outputs and inputs, all draws together.
  constexpr double maxPairs = 4e7;
  constexpr double minOutputs = 4, maxOutputs = 64;
  const double inputs = double(std::max(points, problem.pixels()) + 1);
  return int(std::clamp(maxPairs / draws / inputs, minOutputs, maxOutputs));
}

}  // namespace spokelab
