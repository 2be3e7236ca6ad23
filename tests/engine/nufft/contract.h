// One case of the accuracy contract ([formulas]): draws data, runs the plan, compares with
// exact sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/plan.h"
#include "tests/engine/nufft/random_problem.h"

namespace spokelab::test {

template <class Real>
std::unique_ptr<Nufft<Real>> cpuPlan(const NufftProblem& p, const NufftOptions& o) {
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(p, o);
  else
    return makeCpuNufftDouble(p, o);
}

struct ContractCase {
  NufftProblem problem;
  NufftOptions options;
  std::vector<double> points;
  bool adjoint = false;
  // what u is: iid complex normal by default
  std::function<std::vector<cdouble>(std::mt19937&, std::int64_t count)> data = normalData;
  int draws = 8;

  std::string text() const {
    return std::to_string(problem.dims) + "-D " + std::to_string(problem.size[0]) + "x" +
           std::to_string(problem.size[1]) + "x" + std::to_string(problem.size[2]) + " points " +
           std::to_string(points.size() / std::size_t(problem.dims)) + (adjoint ? " adjoint" : " forward") +
           (problem.precision == Precision::single ? " float " : " double ") +
           std::string(kernelName(options.kernel)) + " " +
           std::string(precomputationName(options.precomputation)) + " " +
           std::string(schedulerName(options.scheduler.kind)) + " without " +
           schedulerPartsText(options.scheduler.off) + " accuracy " +
           std::to_string(std::log10(options.accuracy)) + " alpha " + std::to_string(options.alpha) +
           " sign " + std::to_string(problem.sign) + " batch " + std::to_string(problem.batch);
  }
};

// The contract is on the mean over random data; so that it is measured to a twentieth, a few
// outputs need many draws.
inline int drawsFor(const ContractCase& c, std::int64_t least = 8) {
  constexpr std::int64_t outputs = 400;
  const std::int64_t ofOne = c.adjoint ? c.problem.pixels() : std::int64_t(c.points.size()) / c.problem.dims;
  return int(std::max({least, c.problem.batch, outputs / std::max<std::int64_t>(1, ofOne)}));
}

struct ContractResult {
  double error = 0;      // rms over the draws of |error| / max(|y|, sqrt(R) |u|)
  double predicted = 0;  // PredictedError::relativeL2
};

// With the plan given, all draws in its batch one after the other; every image of the batch is a
// draw.
template <class Real>
ContractResult runContract(Nufft<Real>& plan, const ContractCase& c, std::mt19937& random) {
  using Complex = std::complex<Real>;
  plan.setPoints(c.points);
  const std::int64_t pixels = c.problem.pixels(), count = plan.points(), batch = c.problem.batch;
  const std::int64_t in = c.adjoint ? count : pixels, out = c.adjoint ? pixels : count;
  NufftProblem single = c.problem;
  single.batch = 1;
  double sum = 0;
  int drawn = 0;
  while (drawn < c.draws) {
    std::vector<Complex> input(std::size_t(in * batch)), output(std::size_t(out * batch));
    std::vector<std::vector<cdouble>> exactInput;
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::vector<cdouble> u = c.data(random, in);
      exactInput.emplace_back();
      for (std::int64_t i = 0; i < in; ++i) {
        input[std::size_t(b * in + i)] = Complex(u[std::size_t(i)]);
        exactInput.back().push_back(cdouble(input[std::size_t(b * in + i)]));
      }
    }
    if (c.adjoint)
      plan.adjoint(input.data(), output.data());
    else
      plan.forward(input.data(), output.data());
    for (std::int64_t b = 0; b < batch && drawn < c.draws; ++b, ++drawn) {
      const std::vector<cdouble>& u = exactInput[std::size_t(b)];
      const std::vector<cdouble> y =
          c.adjoint ? nudftAdjoint(single, c.points, u) : nudftForward(single, c.points, u);
      double error = 0;
      for (std::int64_t i = 0; i < out; ++i)
        error += std::norm(cdouble(output[std::size_t(b * out + i)]) - y[std::size_t(i)]);
      const double scale = std::max(squareNorm(y), double(out) * squareNorm(u));
      if (scale > 0)
        sum += error / scale;
      else if (error > 0)
        sum = HUGE_VAL;  // nothing in has to give nothing out
    }
  }
  return {std::sqrt(sum / c.draws), plan.info().error.relativeL2};
}

inline ContractResult runContract(const ContractCase& c, std::mt19937& random) {
  return c.problem.precision == Precision::single
             ? runContract(*cpuPlan<float>(c.problem, c.options), c, random)
             : runContract(*cpuPlan<double>(c.problem, c.options), c, random);
}

// The same where exact sums of all outputs would take too long: the reference is a plan in double
// precision, and a few random outputs of that are compared with exact sums. In single precision.
inline ContractResult runLargeContract(const ContractCase& c, std::mt19937& random) {
  constexpr double referenceAccuracy = 1e-11, maxReferenceError = 1e-9;
  constexpr std::int64_t exactOutputs = 8;
  NufftProblem single = c.problem, exact = c.problem;
  single.batch = exact.batch = 1;
  exact.precision = Precision::double64;
  NufftOptions referenceOptions;
  referenceOptions.accuracy = referenceAccuracy;
  const auto plan = makeCpuNufftFloat(single, c.options);
  const auto reference = makeCpuNufftDouble(exact, referenceOptions);
  plan->setPoints(c.points);
  reference->setPoints(c.points);
  const std::int64_t pixels = single.pixels(), count = plan->points();
  const std::int64_t in = c.adjoint ? count : pixels, out = c.adjoint ? pixels : count;
  double sum = 0;
  for (int drawn = 0; drawn < c.draws; ++drawn) {
    std::vector<cdouble> u = c.data(random, in), y(static_cast<std::size_t>(out));
    const std::vector<cfloat> input(u.begin(), u.end());
    std::vector<cfloat> output(y.size());
    u.assign(input.begin(), input.end());
    if (c.adjoint) {
      plan->adjoint(input.data(), output.data());
      reference->adjoint(u.data(), y.data());
    } else {
      plan->forward(input.data(), output.data());
      reference->forward(u.data(), y.data());
    }
    const double inputNorm = squareNorm(u);
    double error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) error += std::norm(cdouble(output[i]) - y[i]);
    sum += error / std::max(squareNorm(y), double(out) * inputNorm);
    if (drawn > 0) continue;
    std::vector<std::int64_t> chosen(exactOutputs);
    for (std::int64_t& i : chosen) i = std::uniform_int_distribution<std::int64_t>(0, out - 1)(random);
    const std::vector<cdouble> sums =
        c.adjoint ? nudftAdjoint(exact, c.points, u, chosen) : nudftForward(exact, c.points, u, chosen);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (std::norm(sums[i] - y[std::size_t(chosen[i])]) >
          maxReferenceError * maxReferenceError * (inputNorm + squareNorm(y) / double(out)))
        return {HUGE_VAL, 0};
  }
  return {std::sqrt(sum / c.draws), plan->info().error.bound};
}

}  // namespace spokelab::test
