// A NUFFT plan as a SampleTransform; its batch is the plan's.
#pragma once

#include "engine/recon/operators/sample_transform.h"

namespace spokelab {

template <class Real>
class NufftTransform final : public SampleTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  NufftTransform(std::unique_ptr<Nufft<Real>> plan, const PlanPoints& points) : plan_(std::move(plan)) {
    setPoints(points);
  }

  std::int64_t pixels() const override { return plan_->problem().pixels(); }
  std::int64_t samples() const override { return plan_->points(); }
  std::int64_t batch() const override { return plan_->problem().batch; }
  std::string description() const override {
    return (isToeplitz(info().options.normal) ? "Toeplitz convolution, " : "NUFFT, ") + info().description;
  }
  const PlanInfo& info() const { return plan_->info(); }
  PlanInfo plan() const override { return info(); }
  double error() const override { return info().error.relativeL2; }

  void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      plan_->forward(images + c * pixels(), samples + c * this->samples(), execution);
    }
  }
  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      plan_->adjoint(samples + c * this->samples(), images + c * pixels(), execution);
    }
  }
  bool takesPoints() const override { return true; }
  void setPoints(const PlanPoints& points) override {
    const Span traced("points set");
    plan_->setPoints(points);
  }
  void setWeights(std::span<const double> weights) override { plan_->setWeights(weights); }
  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      plan_->normal(in + c * pixels(), out + c * pixels(), execution);
    }
  }
  const Real* placeWeights(std::span<const double> weights, double divisor,
                           const Execution& execution) override {
    return plan_->placeWeights(weights, divisor, execution);
  }
  bool takesMaps(const Execution& execution) override { return plan_->takesMaps(execution); }
  void mappedNormal(const Complex* image, const Complex* maps, Complex* out, std::int64_t count,
                    const Execution& execution, const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      plan_->mappedNormal(image, maps + c * pixels(), out + c * pixels(), execution);
    }
  }

 private:
  std::unique_ptr<Nufft<Real>> plan_;
};

}  // namespace spokelab
