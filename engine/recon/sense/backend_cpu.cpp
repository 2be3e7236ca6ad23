#include "engine/recon/sense/backend_cpu.h"

#include "engine/nufft/plan/cpu_badge.h"
#include "engine/nufft/plan/cpu_point_sets.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/type3/type3.h"

namespace spokelab {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  std::string badge() const override { return cpuBadge(); }
  std::string fingerprint() const override { return cpuFingerprint(); }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions& options) const override {
    return methods(options.spread);
  }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions& options) const override {
    return methods(options.interpolate);
  }
  std::vector<Method> allSpreadMethods(const NufftProblem&, const NufftOptions& options) const override {
    return allMethods(options.spread);
  }
  std::vector<Method> allInterpolateMethods(const NufftProblem&, const NufftOptions& options) const override {
    return allMethods(options.interpolate);
  }
  std::int64_t estimateMemory(const NufftProblem& problem, const NufftOptions& options,
                              std::int64_t points) const override {
    return problem.sets > 0 ? estimateCpuPointSets(problem, options, points)
                            : estimateCpuMemory(problem, options, points);
  }
  AnyNufft makePlan(const NufftProblem& problem, const NufftOptions& options) override {
    if (problem.precision == Precision::single)
      return problem.sets > 0 ? makeCpuPointSets<float>(problem, options)
                              : makeCpuNufftFloat(problem, options);
    return problem.sets > 0 ? makeCpuPointSets<double>(problem, options)
                            : makeCpuNufftDouble(problem, options);
  }
  std::int64_t setsAtOnce(const NufftOptions& options) const override {
    return cpuSetsAtOnce(options.threads);
  }
  bool hasType3() const override { return true; }
  AnyType3 type3(const Type3Problem& problem, const NufftOptions& options) override {
    if (problem.precision == Precision::single) return std::make_unique<Type3<float>>(problem, options);
    return std::make_unique<Type3<double>>(problem, options);
  }

 private:
  static std::vector<Method> methods(Method method) {
    if (method == Method::automatic || method == Method::blocked) return {Method::blocked};
    if (method == Method::sparse || method == Method::sector) return {method};
    return {};
  }
  static std::vector<Method> allMethods(Method asked) {
    if (asked == Method::automatic) return {Method::blocked, Method::sector, Method::sparse};
    return methods(asked);
  }
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace spokelab
