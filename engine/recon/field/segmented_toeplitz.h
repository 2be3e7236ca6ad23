// The normal operator with a field as a sum of convolutions, one a time segment:
//   e^{-i (dw_m - dw_n) t} ~ sum_l b_l(t) e^{-i dw_m tau_l} e^{+i dw_n tau_l}
//   A^H W A ~ sum_l conj(c_l) T_l c_l,   c_l(n) = e^{-i dw_n tau_l}, T_l Toeplitz for weights w b_l
// Each difference of a field's values occurs with both signs, so that b is real. The differences
// span twice the field's range: there are more convolutions than segments of the transform. forward
// and adjoint are the transform of segmented.h.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/recon/field/normal_check.h"
#include "engine/recon/field/segmented.h"

namespace spokelab {

template <VectorSpace Space>
class SegmentedToeplitz final : public SampleTransform<typename Space::Real> {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;
  using Convolutions = std::vector<std::unique_ptr<NufftTransform<Real>>>;

  // convolutions: a plan for each segment of `differences`, whose normal operator is a Toeplitz
  // form.
  SegmentedToeplitz(Space& space, std::unique_ptr<SampleTransform<Real>> segmented, Convolutions convolutions,
                    const Segmentation& differences)
      : space_(space),
        segmented_(std::move(segmented)),
        convolutions_(std::move(convolutions)),
        predicted_(differences.predicted) {
    temporal_.reserve(differences.temporal.size());
    for (const cdouble b : differences.temporal) temporal_.push_back(b.real());
    const std::vector<Complex> host(differences.spatial.begin(), differences.spatial.end());
    spatial_ = space_.make(std::int64_t(host.size()));
    space_.upload(host.data(), spatial_.data(), std::int64_t(host.size()));
    const std::int64_t values = batch() * pixels();
    turned_ = space_.make(values);
    sum_ = space_.make(values);
    setWeights({});
  }

  std::int64_t pixels() const override { return segmented_->pixels(); }
  std::int64_t samples() const override { return segmented_->samples(); }
  std::int64_t batch() const override { return convolutions_.front()->batch(); }
  std::int64_t segments() const override { return segmented_->segments(); }
  std::int64_t convolutions() const { return std::int64_t(convolutions_.size()); }
  PlanInfo plan() const override {
    PlanInfo info = convolutions_.front()->info();
    info.error = {};
    return info;
  }
  double error() const override { return segmented_->error(); }
  double predicted() const { return predicted_; }
  std::string description() const override {
    return std::to_string(convolutions()) + " convolutions, measured error " + numberText(measured_, 2) +
           " (predicted " + numberText(predicted_, 2) + "), " + convolutions_.front()->description() +
           "; transform: " + segmented_->description();
  }
  void setMeasuredError(double error) { measured_ = error; }
  // Ends this transform's life: another one is made around its segments.
  std::unique_ptr<SampleTransform<Real>> takeSegmented() { return std::move(segmented_); }

  void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    segmented_->forward(images, samples, count, execution, progress);
  }
  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    segmented_->adjoint(samples, images, count, execution, progress);
  }
  void setWeights(std::span<const double> weights) override {
    segmented_->setWeights(weights);
    std::vector<double> segmentWeights(static_cast<std::size_t>(samples()));
    for (std::size_t l = 0; l < convolutions_.size(); ++l) {
      for (std::size_t j = 0; j < segmentWeights.size(); ++j)
        segmentWeights[j] = temporal_[l * segmentWeights.size() + j] * (weights.empty() ? 1 : weights[j]);
      convolutions_[l]->setWeights(segmentWeights);
    }
  }
  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    const std::int64_t n = pixels(), values = batch() * n;
    for (std::int64_t first = 0; first < count; first += batch()) {
      for (std::size_t l = 0; l < convolutions_.size(); ++l) {
        const Complex* phases = spatial_.data() + std::int64_t(l) * n;
        space_.copy(in + first * n, turned_.data(), values);
        space_.scale(phases, turned_.data(), batch(), n);
        convolutions_[l]->normal(turned_.data(), turned_.data(), batch(), execution, progress);
        for (std::int64_t c = 0; c < batch(); ++c)
          space_.combine(turned_.data() + c * n, phases, nullptr, sum_.data() + c * n, 1, n, l > 0);
      }
      space_.copy(sum_.data(), out + first * n, values);
    }
  }

 private:
  Space& space_;
  std::unique_ptr<SampleTransform<Real>> segmented_;
  Convolutions convolutions_;
  double predicted_, measured_ = 0;
  std::vector<double> temporal_;  // b [convolution, sample]
  Vector spatial_, turned_, sum_;
};

// Relative l2 error of a transform's normal operator, with the weights of the check.
template <VectorSpace Space>
double normalError(Space& space, SampleTransform<typename Space::Real>& transform, const NormalCheck& check,
                   const Progress& progress) {
  using Complex = typename Space::Complex;
  const std::int64_t pixels = transform.pixels(), batch = transform.batch();
  std::vector<Complex> host(check.image.begin(), check.image.end());
  auto image = space.make(batch * pixels);
  space.zero(image.data(), batch * pixels);
  space.upload(host.data(), image.data(), pixels);
  transform.normal(image.data(), image.data(), batch, space.execution(), progress);
  space.download(image.data(), host.data(), pixels);
  return checkedError(check, std::vector<cdouble>(host.begin(), host.end()));
}

// segmented: the transform's; makeNufft(): a plan for the problem's points with a Toeplitz normal
// operator. convolutions 0: by the accuracy of the normal operator, relative l2, with weights 1.
template <VectorSpace Space>
std::unique_ptr<SampleTransform<typename Space::Real>> makeSegmentedToeplitz(
    Space& space, const GdftProblem& problem,
    std::unique_ptr<SampleTransform<typename Space::Real>> segmented, int convolutions, double accuracy,
    const std::function<std::unique_ptr<NufftTransform<typename Space::Real>>()>& makeNufft, int threads,
    std::vector<std::string>& notes, const Progress& progress) {
  constexpr int maxAttempts = 3;
  const NormalCheck check = makeNormalCheck(problem, {}, threads, progress);
  double target = accuracy / 2;  // the other half is the convolutions'
  for (int attempt = 1;; ++attempt) {
    const Segmentation differences =
        segmentDifferences(problem.field, problem.times, convolutions, target, progress);
    typename SegmentedToeplitz<Space>::Convolutions plans;
    for (std::int64_t l = 0; l < differences.segments; ++l) {
      progress.checkpoint();
      plans.push_back(makeNufft());
    }
    auto transform = std::make_unique<SegmentedToeplitz<Space>>(space, std::move(segmented), std::move(plans),
                                                                differences);
    const double error = normalError(space, *transform, check, progress);
    transform->setMeasuredError(error);
    if (convolutions > 0 || error <= accuracy || attempt == maxAttempts) {
      if (error > accuracy)
        notes.push_back("the error of the field's convolutions is " + numberText(error) +
                        ", more than the accuracy asked for");
      return transform;
    }
    segmented = transform->takeSegmented();
    target /= 3;
  }
}

}  // namespace spokelab
