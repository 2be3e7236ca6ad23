#include "engine/recon/field/segment_forms.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <Eigen/Core>

#include "engine/core/singular_vectors.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

using PhaseMatrix = Eigen::MatrixXcd;
using PhaseVector = Eigen::VectorXcd;

constexpr std::size_t fittedPlaces = 4 * std::size_t(maxSegments);  // samples, and pixels
constexpr std::size_t checkedPlaces = 256;                          // others, likewise
constexpr unsigned drawSeed = 23;
constexpr std::int64_t placesPerTask = 64;

// Up to `count` different numbers below `limit`.
std::vector<std::size_t> drawn(std::int64_t limit, std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> numbers;
  if (std::size_t(limit) <= count) {
    numbers.resize(std::size_t(limit));
    std::iota(numbers.begin(), numbers.end(), std::size_t(0));
    return numbers;
  }
  std::uniform_int_distribution<std::int64_t> any(0, limit - 1);
  while (numbers.size() < count) numbers.push_back(std::size_t(any(random)));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// P at these samples and pixels.
PhaseMatrix phasesAt(const GdftProblem& problem, const std::vector<std::size_t>& samples,
                     const std::vector<std::size_t>& pixels) {
  PhaseMatrix p(Eigen::Index(samples.size()), Eigen::Index(pixels.size()));
  for (std::size_t n = 0; n < pixels.size(); ++n)
    for (std::size_t j = 0; j < samples.size(); ++j)
      p(Eigen::Index(j), Eigen::Index(n)) = std::polar(1.0, -problem.phaseAt(pixels[n], samples[j]));
  return p;
}

// Singular vectors of P at the fitted places, up to the largest number of segments that may serve.
class FormBasis {
 public:
  explicit FormBasis(const GdftProblem& problem, std::mt19937& random)
      : problem_(problem),
        samples_(drawn(problem.samples(), fittedPlaces, random)),
        pixels_(drawn(problem.pixels(), fittedPlaces, random)) {
    const auto [values, left, right] =
        singularVectors(phasesAt(problem, samples_, pixels_), Eigen::Index(maxSegments));
    constexpr double smallest = 1e-13;  // of the singular values, relative: below it is rounding
    Eigen::Index kept = 0;
    while (kept < values.size() && values(kept) > smallest * values(0)) ++kept;
    const double scale = std::sqrt(double(pixels_.size()));  // c is about 1
    ofPixel_ = (values.head(kept).cwiseInverse() * scale).asDiagonal() * left.leftCols(kept).adjoint();
    ofSample_ = right.leftCols(kept).transpose() / scale;
  }

  std::int64_t most() const { return std::int64_t(ofPixel_.rows()); }
  // c and b of the leading segments.
  PhaseMatrix spatial(const std::vector<std::size_t>& pixels, std::int64_t segments) const {
    return ofPixel_.topRows(Eigen::Index(segments)) * phasesAt(problem_, samples_, pixels);
  }
  PhaseMatrix temporal(const std::vector<std::size_t>& samples, std::int64_t segments) const {
    return ofSample_.topRows(Eigen::Index(segments)) * phasesAt(problem_, samples, pixels_).transpose();
  }

 private:
  const GdftProblem& problem_;
  std::vector<std::size_t> samples_, pixels_;
  PhaseMatrix ofPixel_, ofSample_;  // [segment, sample], [segment, pixel]
};

// The rms error at the checked places for 1, 2, ... segments.
std::vector<double> errorsOf(const GdftProblem& problem, const FormBasis& basis, std::mt19937& random) {
  const std::vector<std::size_t> samples = drawn(problem.samples(), checkedPlaces, random),
                                 pixels = drawn(problem.pixels(), checkedPlaces, random);
  PhaseMatrix rest = phasesAt(problem, samples, pixels);
  const PhaseMatrix c = basis.spatial(pixels, basis.most()), b = basis.temporal(samples, basis.most());
  std::vector<double> errors;
  for (Eigen::Index l = 0; l < c.rows(); ++l) {
    rest.noalias() -= b.row(l).transpose() * c.row(l);
    errors.push_back(rest.norm() / std::sqrt(double(rest.size())));
  }
  return errors;
}

// [segment, place] of all places, some at a time.
template <class Factors>
std::vector<cdouble> factorsOf(std::int64_t places, std::int64_t segments, const Progress& progress,
                               const Factors& factors) {
  std::vector<cdouble> all(std::size_t(segments * places));
  parallelFor(places, 0, placesPerTask, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t begin = first; begin < last; begin += placesPerTask) {
      progress.checkpoint();
      std::vector<std::size_t> some;
      for (std::int64_t i = begin; i < std::min(begin + placesPerTask, last); ++i)
        some.push_back(std::size_t(i));
      const PhaseMatrix values = factors(some);
      for (std::int64_t l = 0; l < segments; ++l)
        for (std::size_t i = 0; i < some.size(); ++i)
          all[std::size_t(l * places) + some[i]] = values(Eigen::Index(l), Eigen::Index(i));
    }
  });
  return all;
}

}  // namespace

Segmentation segmentForms(const GdftProblem& problem, std::int64_t segments, double accuracy,
                          const Progress& progress) {
  validate(problem);
  std::mt19937 random(drawSeed);
  progress.checkpoint();
  const FormBasis basis(problem, random);
  progress.checkpoint();
  const std::vector<double> errors = errorsOf(problem, basis, random);
  const std::string summary = "Cannot segment the phases of second order";
  if (segments > basis.most())
    throw Error(summary, std::to_string(segments) + " segments are too many",
                "Use at most " + std::to_string(basis.most()) + ", or the exact transform");
  Segmentation result;
  result.segments = segments;
  if (segments == 0) {
    const auto enough = std::find_if(errors.begin(), errors.end(), [&](double e) { return e <= accuracy; });
    if (enough == errors.end())
      throw Error(summary,
                  "the most possible, " + std::to_string(basis.most()) + " segments, reach an error of " +
                      numberText(*std::min_element(errors.begin(), errors.end())) + ", and " +
                      numberText(accuracy) + " was asked for",
                  "Ask for less accuracy, or use the exact transform");
    result.segments = enough - errors.begin() + 1;
  }
  result.predicted = errors[std::size_t(result.segments - 1)];
  result.temporal = factorsOf(problem.samples(), result.segments, progress,
                              [&](const auto& some) { return basis.temporal(some, result.segments); });
  result.spatial = factorsOf(problem.pixels(), result.segments, progress,
                             [&](const auto& some) { return basis.spatial(some, result.segments); });
  return result;
}

}  // namespace spokelab
