// A backend that forwards to the CPU's, for tests that change one of its functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/recon/sense/backend_cpu.h"

namespace spokelab::test {

// Base: Backend, or TransformBackend.
template <class Base>
class ForwardingBackend : public Base {
 public:
  std::string name() const override { return cpu_->name(); }
  std::string badge() const override { return cpu_->badge(); }
  std::string fingerprint() const override { return cpu_->fingerprint(); }
  std::vector<Method> spreadMethods(const NufftProblem& p, const NufftOptions& o) const override {
    return cpu_->spreadMethods(p, o);
  }
  std::vector<Method> interpolateMethods(const NufftProblem& p, const NufftOptions& o) const override {
    return cpu_->interpolateMethods(p, o);
  }
  std::int64_t estimateMemory(const NufftProblem& p, const NufftOptions& o,
                              std::int64_t points) const override {
    return cpu_->estimateMemory(p, o, points);
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override { return cpu_->makePlan(p, o); }

 protected:
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
};

}  // namespace spokelab::test
