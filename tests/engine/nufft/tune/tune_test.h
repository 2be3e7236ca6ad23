// A request and a backend for the tests of the tuner.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "engine/nufft/plan/plan.h"
#include "engine/nufft/tune/tune.h"
#include "tests/engine/nufft/random_problem.h"

namespace spokelab::test {

// The CPU's plans, counted; onPlan runs before each is made.
class CountingCpuBackend : public NufftBackend {
 public:
  std::string name() const override { return "cpu"; }
  std::string badge() const override { return "test"; }
  std::string fingerprint() const override { return fingerprint_; }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions& o) const override {
    return methods(o.spread);
  }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions& o) const override {
    return methods(o.interpolate);
  }
  std::vector<Method> allSpreadMethods(const NufftProblem&, const NufftOptions& o) const override {
    return allMethods(o.spread);
  }
  std::vector<Method> allInterpolateMethods(const NufftProblem&, const NufftOptions& o) const override {
    return allMethods(o.interpolate);
  }
  std::int64_t estimateMemory(const NufftProblem& p, const NufftOptions& o,
                              std::int64_t points) const override {
    return estimateCpuMemory(p, o, points);
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    ++plans;
    if (onPlan) onPlan();
    if (p.precision == Precision::single) return makeCpuNufftFloat(p, o);
    return makeCpuNufftDouble(p, o);
  }

  int plans = 0;
  std::function<void()> onPlan;
  std::string fingerprint_ = "machine A";

 protected:
  // The CPU's plan in double precision; in single precision `wrap` of it.
  template <class Wrap>
  AnyNufft wrapped(const NufftProblem& p, const NufftOptions& o, const Wrap& wrap) {
    AnyNufft plan = CountingCpuBackend::makePlan(p, o);
    if (auto* const single = std::get_if<std::unique_ptr<Nufft<float>>>(&plan))
      return wrap(std::move(*single));
    return plan;
  }

 private:
  static std::vector<Method> methods(Method asked) {
    if (asked == Method::automatic || asked == Method::blocked) return {Method::blocked};
    return {};
  }
  static std::vector<Method> allMethods(Method asked) {
    if (asked == Method::automatic) return {Method::blocked, Method::sparse};
    return methods(asked);
  }
};

struct TuneFixture {
  CountingCpuBackend backend;
  std::vector<NufftBackend*> backends{&backend};
  std::vector<double> points;
  TuneRequest request;

  explicit TuneFixture(Precision precision = Precision::single, int dims = 2, Index3 size = {48, 40, 1}) {
    std::mt19937 random(3);
    points = uniformPoints(random, 1500, dims);
    request.problem = problemOf(dims, size, precision);
    request.points = points;
    request.options.threads = 1;
  }
  TuneResult run(Wisdom* wisdom = nullptr, const Progress& progress = {},
                 const std::function<void(const Candidate&)>& seen = {}) {
    return tune(backends, request, wisdom, progress, seen);
  }
};

}  // namespace spokelab::test
