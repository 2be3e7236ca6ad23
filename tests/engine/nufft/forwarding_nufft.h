// A plan that forwards to another one, for tests that change one of its functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/nufft/nufft.h"

namespace spokelab::test {

class ForwardingNufft : public Nufft<float> {
 public:
  explicit ForwardingNufft(std::unique_ptr<Nufft<float>> plan) : plan_(std::move(plan)) {}
  const NufftProblem& problem() const override { return plan_->problem(); }
  const PlanInfo& info() const override { return plan_->info(); }
  std::int64_t points() const override { return plan_->points(); }
  void setPoints(const PlanPoints& points) override { plan_->setPoints(points); }
  void forward(const Complex* image, Complex* samples, const Execution& e) override {
    plan_->forward(image, samples, e);
  }
  void adjoint(const Complex* samples, Complex* image, const Execution& e) override {
    plan_->adjoint(samples, image, e);
  }
  void setWeights(std::span<const double> weights) override { plan_->setWeights(weights); }
  void normal(const Complex* in, Complex* out, const Execution& e) override { plan_->normal(in, out, e); }

 protected:
  std::unique_ptr<Nufft<float>> plan_;
};

}  // namespace spokelab::test
