// A NUFFT plan as a SampleTransform; its batch is the plan's.
#pragma once

#include "engine/core/measure/trace_part.h"
#include "engine/nufft/plan/device_normal_plan.h"
#include "engine/nufft/plan/scaled_point_plan.h"
#include "engine/recon/operators/sample_transform.h"

namespace spokelab {

// points[j, d] / divisors[d].
Buffer<double> dividedPoints(std::span<const double> points, int dims, const std::array<double, 3>& divisors,
                             int threads);

template <class Real>
class NufftTransform final : public SampleTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  // points: [sample, dims] in cycles per pixel.
  NufftTransform(std::unique_ptr<Nufft<Real>> plan, std::span<const double> points) : plan_(std::move(plan)) {
    const TracePart traced("points set");
    plan_->setPoints(points);
  }
  // points: [sample, dims] that are cycles per pixel once they are divided by their dimension's
  // divisor. threads: for that, where the plan does not divide them itself. placed: a copy of them
  // in the plan's memory, or null.
  NufftTransform(std::unique_ptr<Nufft<Real>> plan, std::span<const double> points,
                 const std::array<double, 3>& divisors, int threads, const double* placed = nullptr)
      : plan_(std::move(plan)) {
    place(points, divisors, threads, placed);
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
      timed(execution, [&](const Execution& one) {
        plan_->forward(images + c * pixels(), samples + c * this->samples(), one);
      });
    }
  }
  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      timed(execution, [&](const Execution& one) {
        plan_->adjoint(samples + c * this->samples(), images + c * pixels(), one);
      });
    }
  }
  bool takesPoints() const override { return true; }
  void setPoints(std::span<const double> points, const std::array<double, 3>& divisors,
                 int threads) override {
    place(points, divisors, threads, nullptr);
  }
  void setWeights(std::span<const double> weights) override { plan_->setWeights(weights); }
  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      timed(execution,
            [&](const Execution& one) { plan_->normal(in + c * pixels(), out + c * pixels(), one); });
    }
  }
  const Real* placeWeights(std::span<const double> weights, double divisor,
                           const Execution& execution) override {
    auto* const device = dynamic_cast<DeviceNormalPlan<Real>*>(plan_.get());
    return device ? device->placeWeights(weights, divisor, execution) : nullptr;
  }
  bool takesMaps(const Execution& execution) override {
    auto* const device = dynamic_cast<DeviceNormalPlan<Real>*>(plan_.get());
    return device && device->takesMaps(execution);
  }
  void mappedNormal(const Complex* image, const Complex* maps, Complex* out, std::int64_t count,
                    const Execution& execution, const Progress& progress) override {
    auto& device = dynamic_cast<DeviceNormalPlan<Real>&>(*plan_);
    for (std::int64_t c = 0; c < count; c += batch()) {
      progress.checkpoint();
      timed(execution, [&](const Execution& one) {
        device.mappedNormal(image, maps + c * pixels(), out + c * pixels(), one);
      });
    }
  }

 private:
  void place(std::span<const double> points, const std::array<double, 3>& divisors, int threads,
             const double* placed) {
    const TracePart traced("points set");
    if (auto* const scaled = dynamic_cast<ScaledPointPlan*>(plan_.get()))
      scaled->setScaledPoints(points, divisors, placed, nullptr);
    else
      plan_->setPoints(dividedPoints(points, plan_->problem().dims, divisors, threads));
  }

  // A plan writes the times of one call; they are added to the caller's times.
  template <class Call>
  static void timed(const Execution& execution, const Call& call) {
    if (!execution.timings) return call(execution);
    StageTimings times;
    Execution one = execution;
    one.timings = &times;
    call(one);
    *execution.timings += times;
  }

  std::unique_ptr<Nufft<Real>> plan_;
};

}  // namespace spokelab
