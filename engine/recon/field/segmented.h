// Time-segmented NUFFT (Noll et al. 1991; Sutton, Noll, Fessler 2003): the field's phase as a short
// sum of products
//   e^{-i dw_n t_j} ~ sum_l b_l(t_j) c_l(dw_n),   so that s = sum_l b_l . NUFFT(c_l . m)
//   hanning   c_l = e^{-i dw tau_l}, tau_l evenly over the readout; b_l raised cosines
//   min-max   the same c_l; b(t) least squares over the field map's histogram, which minimises the
//             largest error over images
//   svd       c_l the leading singular vectors of e^{-i dw t} over histogram and times; b(t) least
//             squares: the smallest error for a number of segments
//   forms     phases of second order besides (PhaseForms): c_l the leading singular vectors of the
//             phases at some pixels and samples, whatever the interpolator (segment_forms.h)
// The number of segments grows until the predicted error meets the accuracy; then the whole
// transform is measured against exact sums at random samples, and grows further where that fails.
#pragma once

#include <functional>
#include <memory>
#include <random>

#include "engine/core/text.h"
#include "engine/nufft/problem/path.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/operators/nufft_transform.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

struct Segmentation {
  std::int64_t segments = 0;
  double predicted = 0;           // rms error of the phase factor over histogram and times
  std::vector<cdouble> temporal;  // b [segment, sample]
  std::vector<cdouble> spatial;   // c [segment, pixel]
};

// segments 0: the smallest number that brings `predicted` to the accuracy. Throws Error where that
// takes too many.
Segmentation segment(std::span<const double> field, std::span<const double> times,
                     SegmentInterpolator interpolator, std::int64_t segments, double accuracy,
                     const Progress& progress);

// Segments a problem's field and forms. Throws Error, Cancelled.
Segmentation segment(const GdftProblem& problem, SegmentInterpolator interpolator, std::int64_t segments,
                     double accuracy, const Progress& progress);

// The same for differences between the field's values, which pairs of pixels in a normal operator
// have, by the min-max interpolator: e^{-i (dw_m - dw_n) t_j} ~ sum_l b_l(t_j) c_l(dw_m)
// conj(c_l(dw_n)), b real.
Segmentation segmentDifferences(std::span<const double> field, std::span<const double> times,
                                std::int64_t segments, double accuracy, const Progress& progress);

// A random image, and its exact samples (gdftDirect) at a random selection of samples.
struct SegmentCheck {
  std::vector<cdouble> image;
  std::vector<std::int64_t> selection;
  std::vector<cdouble> exact;
};
SegmentCheck makeSegmentCheck(const GdftProblem& problem);
// The relative l2 error of `samples` = A image [sample] at the selection.
double checkedError(const SegmentCheck& check, std::span<const cdouble> samples);

template <VectorSpace Space>
class SegmentedTransform final : public SampleTransform<typename Space::Real> {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  SegmentedTransform(Space& space, std::unique_ptr<NufftTransform<Real>> nufft, const Segmentation& s)
      : space_(space), nufft_(std::move(nufft)), segments_(s.segments), predicted_(s.predicted) {
    const auto converted = [&](const std::vector<cdouble>& in, bool conjugate) {
      std::vector<Complex> out(in.size());
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = Complex(conjugate ? std::conj(in[i]) : in[i]);
      Vector v = space_.make(std::int64_t(out.size()));
      space_.upload(out.data(), v.data(), std::int64_t(out.size()));
      return v;
    };
    spatial_ = converted(s.spatial, false);
    temporal_ = converted(s.temporal, true);  // conj(b): combine() conjugates, expand() does not
    images_ = space_.make(segments_ * pixels());
    segmentSamples_ = space_.make(segments_ * samples());
    between_ = space_.make(samples());
  }

  std::int64_t pixels() const override { return nufft_->pixels(); }
  std::int64_t samples() const override { return nufft_->samples(); }
  std::int64_t segments() const override { return segments_; }
  // The error of the NUFFTs alone says little about the whole, whose error is measured.
  PlanInfo plan() const override {
    PlanInfo info = nufft_->info();
    info.error = {};
    return info;
  }
  double error() const override { return measured_; }
  std::string description() const override {
    return std::to_string(segments_) + " segments, measured error " + numberText(measured_, 2) +
           " (predicted " + numberText(predicted_, 2) + "), " + nufft_->description();
  }
  void setMeasuredError(double error) { measured_ = error; }

  void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    for (std::int64_t c = 0; c < count; ++c) {
      space_.expand(images + c * pixels(), spatial_.data(), nullptr, images_.data(), segments_, pixels());
      nufft_->forward(images_.data(), segmentSamples_.data(), segments_, execution, progress);
      space_.combine(segmentSamples_.data(), temporal_.data(), nullptr, samples + c * this->samples(),
                     segments_, this->samples(), false);
    }
  }
  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    for (std::int64_t c = 0; c < count; ++c) {
      space_.expand(samples + c * this->samples(), temporal_.data(), nullptr, segmentSamples_.data(),
                    segments_, this->samples());
      nufft_->adjoint(segmentSamples_.data(), images_.data(), segments_, execution, progress);
      space_.combine(images_.data(), spatial_.data(), nullptr, images + c * pixels(), segments_, pixels(),
                     false);
    }
  }
  void setWeights(std::span<const double> weights) override {
    const std::vector<Complex> host(weights.begin(), weights.end());
    weighted_ = !host.empty();
    weights_ = space_.make(std::int64_t(host.size()));
    space_.upload(host.data(), weights_.data(), std::int64_t(host.size()));
  }
  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    for (std::int64_t c = 0; c < count; ++c) {
      forward(in + c * pixels(), between_.data(), 1, execution, progress);
      if (weighted_) space_.scale(weights_.data(), between_.data(), 1, samples());
      adjoint(between_.data(), out + c * pixels(), 1, execution, progress);
    }
  }

 private:
  Space& space_;
  std::unique_ptr<NufftTransform<Real>> nufft_;
  std::int64_t segments_;
  double predicted_, measured_ = 0;
  bool weighted_ = false;
  Vector spatial_, temporal_, images_, segmentSamples_, between_, weights_;
};

// The number of segments that one execution of the NUFFT takes, a divisor of `segments`.
std::int64_t segmentBatch(std::int64_t segments, std::int64_t pixels);

// makeNufft(batch): a plan for the problem's points. accuracy: of the whole, relative l2.
template <VectorSpace Space>
std::unique_ptr<SampleTransform<typename Space::Real>> makeSegmented(
    Space& space, const GdftProblem& problem, SegmentInterpolator interpolator, int segments, double accuracy,
    const std::function<std::unique_ptr<NufftTransform<typename Space::Real>>(std::int64_t)>& makeNufft,
    std::vector<std::string>& notes, const Progress& progress) {
  using Complex = typename Space::Complex;
  constexpr int maxAttempts = 4;
  const SegmentCheck check = makeSegmentCheck(problem);
  const std::int64_t pixels = problem.pixels(), samples = problem.samples();
  std::vector<Complex> host(check.image.begin(), check.image.end());
  auto image = space.make(pixels), result = space.make(samples);
  space.upload(host.data(), image.data(), pixels);
  std::int64_t segmentCount = segments;
  double target = accuracy / 2;  // the other half is the NUFFT's
  for (int attempt = 1;; ++attempt) {
    const Segmentation s = segment(problem, interpolator, segmentCount, target, progress);
    auto transform =
        std::make_unique<SegmentedTransform<Space>>(space, makeNufft(segmentBatch(s.segments, pixels)), s);
    transform->forward(image.data(), result.data(), 1, space.execution(), progress);
    host.resize(std::size_t(samples));
    space.download(result.data(), host.data(), samples);
    const std::vector<cdouble> seen(host.begin(), host.end());
    const double error = checkedError(check, seen);
    transform->setMeasuredError(error);
    if (segments > 0 || error <= accuracy || attempt == maxAttempts) {
      if (error > accuracy)
        notes.push_back("the segmented transform's error is " + numberText(error) +
                        ", more than the accuracy asked for");
      return transform;
    }
    target /= 3;
  }
}

}  // namespace spokelab
