#include "engine/recon/field/segmented.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Core>

#include "engine/core/singular_vectors.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/segment_forms.h"

namespace spokelab {
namespace {

using Matrix = Eigen::MatrixXcd;
using Values = Eigen::VectorXcd;

constexpr double pi = std::numbers::pi;
constexpr double radiansPerBin = 0.5;  // rad over half the readout, for one bin of the histogram
constexpr std::int64_t minBins = 64, maxBins = 2048;
constexpr std::int64_t gridTimes = 64;  // and some for each turn of phase: the SVD's grid
constexpr double timesPerTurn = 4;
constexpr std::int64_t checkedTimes = 96;  // at which the error is predicted

// The fit of b(t). minEigenvalue: of the least squares, relative; keeps the coefficients bounded.
// margin: steps by which the nodes reach beyond the readout on each side, which keeps the fit at
// its ends as good as in its middle.
struct Fit {
  double minEigenvalue, margin;
};
constexpr Fit transformFit = {1e-8, 0}, differenceFit = {1e-13, 1};

constexpr int checkedSamples = 48;
constexpr std::int64_t maxBatchBytes = 1 << 29;

// e^{-i field t} at equally spaced times by products of a few sines: all sines took most time.
constexpr std::int64_t runLength = 8;
void fillPhases(double field, double first, double step, Values& phases) {
  const cdouble turn = std::polar(1.0, -field * step);
  const cdouble leap = std::polar(1.0, -field * step * double(runLength));
  double real[runLength], imaginary[runLength];
  cdouble turned = 1;
  for (std::int64_t i = 0; i < runLength; ++i, turned *= turn) {
    real[i] = turned.real();
    imaginary[i] = turned.imag();
  }
  cdouble start = std::polar(1.0, -field * first);
  for (Eigen::Index g = 0; g < phases.size(); g += runLength, start *= leap) {
    const double a = start.real(), b = start.imag();
    for (std::int64_t i = 0; i < runLength; ++i)
      phases(g + i) = {a * real[i] - b * imaginary[i], a * imaginary[i] + b * real[i]};
  }
}

// The field map reduced to a few values with their shares.
struct Histogram {
  std::vector<double> field, share;  // rad/s
};

Histogram histogramOf(std::span<const double> field, double duration) {
  const auto [low, high] = std::minmax_element(field.begin(), field.end());
  const double range = *high - *low;
  const auto bins =
      std::clamp<std::int64_t>(std::int64_t(std::ceil(range * duration / radiansPerBin)), minBins, maxBins);
  std::vector<double> sum(std::size_t(bins), 0), count(std::size_t(bins), 0);
  for (const double f : field) {
    const auto bin = range > 0 ? std::min(bins - 1, std::int64_t((f - *low) / range * double(bins))) : 0;
    sum[std::size_t(bin)] += f;
    count[std::size_t(bin)] += 1;
  }
  Histogram h;
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (count[i] > 0) {
      h.field.push_back(sum[i] / count[i]);
      h.share.push_back(count[i] / double(field.size()));
    }
  return h;
}

// Histogram of all pairs' differences. 0 gets half: a pixel's own term is the largest.
Histogram differencesOf(const Histogram& h, double duration) {
  constexpr double ownShare = 0.5;
  const auto [low, high] = std::minmax_element(h.field.begin(), h.field.end());
  const double range = *high - *low;
  const auto half = std::clamp<std::int64_t>(std::int64_t(std::ceil(range * duration / radiansPerBin)),
                                             minBins / 2, maxBins / 2);
  std::vector<double> share(std::size_t(2 * half + 1), 0);
  for (std::size_t a = 0; a < h.field.size(); ++a)
    for (std::size_t b = 0; b < h.field.size(); ++b) {
      const double at = range > 0 ? (h.field[a] - h.field[b]) / range * double(half) : 0;
      share[std::size_t(half + std::llround(at))] += (1 - ownShare) * h.share[a] * h.share[b];
    }
  share[std::size_t(half)] += ownShare;
  Histogram differences;
  for (std::size_t i = 0; i < share.size(); ++i)
    if (share[i] > 0) {
      differences.field.push_back(range * double(std::int64_t(i) - half) / double(half));
      differences.share.push_back(share[i]);
    }
  return differences;
}

// c_l(dw) for any number of leading segments.
class Basis {
 public:
  Basis(const Histogram& histogram, double first, double last, SegmentInterpolator kind, double margin)
      : histogram_(histogram), first_(first), last_(last), margin_(margin), kind_(kind) {
    if (kind == SegmentInterpolator::svd) prepareVectors();
  }

  double segmentTime(std::int64_t l, std::int64_t segments) const {
    if (segments == 1) return (first_ + last_) / 2;
    const double beyond = margin_ * (last_ - first_) / double(segments);
    return first_ - beyond + (last_ - first_ + 2 * beyond) * double(l) / double(segments - 1);
  }

  // Fills c for c.size() segments.
  void at(double field, Values& c, Values& phases) const {
    const Eigen::Index segments = c.size();
    if (kind_ != SegmentInterpolator::svd) {
      for (Eigen::Index l = 0; l < segments; ++l) c(l) = std::polar(1.0, -field * segmentTime(l, segments));
      return;
    }
    phases.resize(vectors_.rows());
    fillPhases(field, first_, step_, phases);
    c.noalias() = vectors_.leftCols(segments).adjoint() * phases;
    c.array() *= scale_.head(segments).array();
  }

  std::int64_t most() const {
    return kind_ == SegmentInterpolator::svd ? std::min<std::int64_t>(maxSegments, vectors_.cols())
                                             : maxSegments;
  }

 private:
  void prepareVectors() {
    double low = histogram_.field.front(), high = low;
    for (const double f : histogram_.field) {
      low = std::min(low, f);
      high = std::max(high, f);
    }
    const double turns = (high - low) * (last_ - first_) / (2 * pi);
    const auto runs = gridTimes / runLength + std::int64_t(std::ceil(turns * timesPerTurn / runLength));
    const Eigen::Index count = runs * runLength, half = count / 2;
    step_ = (last_ - first_) / double(count - 1);
    // About the middle time the phases of the second half mirror and conjugate the first half's,
    // and so do their singular vectors. Real numbers are enough for them: [real; imaginary part] of
    // the first half.
    const auto values = Eigen::Index(histogram_.field.size());
    Eigen::MatrixXd parts(count, values);
    for (Eigen::Index h = 0; h < values; ++h)
      for (Eigen::Index g = 0; g < half; ++g) {
        const double time = (double(g) - double(count - 1) / 2) * step_;
        const cdouble phase = std::polar(std::sqrt(2 * histogram_.share[std::size_t(h)]),
                                         -histogram_.field[std::size_t(h)] * time);
        parts(g, h) = phase.real();
        parts(half + g, h) = phase.imag();
      }
    // The rank may be below the number of segments: the other vectors are 0, and take no part.
    const Eigen::Index kept = std::min<Eigen::Index>(count, maxSegments);
    const auto [singular, left, right] = singularVectors(parts, kept);
    const Eigen::Index rank = singular.size();
    vectors_ = Matrix::Zero(count, kept);
    vectors_.topLeftCorner(half, rank) =
        (left.topRows(half) + cdouble(0, 1) * left.bottomRows(half)) / std::sqrt(2.0);
    vectors_.bottomRows(half) = vectors_.topRows(half).conjugate().colwise().reverse();
    constexpr double smallest = 1e-15;
    scale_ = Values::Zero(kept);
    scale_.head(rank) =
        singular.cwiseMax(smallest).cwiseInverse().cast<cdouble>();  // rms 1 over the histogram
  }

  const Histogram& histogram_;
  double first_, last_, margin_;
  SegmentInterpolator kind_;
  double step_ = 0;  // of the SVD's grid of times
  Matrix vectors_;
  Values scale_;
};

// The inverse of a Hermitian matrix without its eigenvalues below minEigenvalue times the largest.
Matrix inverse(const Matrix& gram, double minEigenvalue) {
  const HermitianVectors eigen = hermitianVectors(gram);
  Eigen::VectorXd inverses = Eigen::VectorXd::Zero(gram.rows());
  for (Eigen::Index l = 0; l < inverses.size(); ++l)
    if (eigen.values[l] > eigen.values[0] * minEigenvalue) inverses[l] = 1 / eigen.values[l];
  return eigen.withValues(inverses);
}

// b(t) for one number of segments.
class Interpolator {
 public:
  Interpolator(const Histogram& histogram, const Basis& basis, SegmentInterpolator kind,
               std::int64_t segments, double first, double last, double minEigenvalue)
      : histogram_(histogram), basis_(basis), kind_(kind), segments_(segments), first_(first), last_(last) {
    c_.resize(segments, std::int64_t(histogram.field.size()));
    Values c(segments), phases;
    for (Eigen::Index h = 0; h < c_.cols(); ++h) {
      basis.at(histogram.field[std::size_t(h)], c, phases);
      c_.col(h) = c;
    }
    weighted_ = c_.conjugate();
    for (Eigen::Index h = 0; h < c_.cols(); ++h) weighted_.col(h) *= histogram.share[std::size_t(h)];
    if (kind == SegmentInterpolator::hanning) return;
    weighted_ = inverse(weighted_ * c_.transpose(), minEigenvalue) * weighted_;
  }

  Values at(double time, double* squareError = nullptr) const {
    Values phases(c_.cols());
    for (Eigen::Index h = 0; h < phases.size(); ++h)
      phases(h) = std::polar(1.0, -histogram_.field[std::size_t(h)] * time);
    const Values b = kind_ == SegmentInterpolator::hanning ? raisedCosines(time) : Values(weighted_ * phases);
    if (squareError) {
      const Values difference = phases - c_.transpose() * b;
      *squareError = 0;
      for (Eigen::Index h = 0; h < phases.size(); ++h)
        *squareError += histogram_.share[std::size_t(h)] * std::norm(difference(h));
    }
    return b;
  }

 private:
  Values raisedCosines(double time) const {
    Values b = Values::Zero(segments_);
    if (segments_ == 1) return Values::Ones(1);
    const double step = (last_ - first_) / double(segments_ - 1);
    for (std::int64_t l = 0; l < segments_; ++l) {
      const double distance =
          step > 0 ? std::abs(time - basis_.segmentTime(l, segments_)) / step : double(l > 0);
      if (distance < 1) b(l) = 0.5 + 0.5 * std::cos(pi * distance);
    }
    return b;
  }

  const Histogram& histogram_;
  const Basis& basis_;
  SegmentInterpolator kind_;
  std::int64_t segments_;
  double first_, last_;
  Matrix c_, weighted_;
};

double predictedError(const Interpolator& interpolator, const std::vector<double>& times) {
  std::vector<double> squares(std::size_t(std::min<std::int64_t>(checkedTimes, std::int64_t(times.size()))));
  parallelTasks(std::int64_t(squares.size()), 0, [&](std::int64_t i) {
    const std::size_t at =
        squares.size() == 1 ? 0 : std::size_t(i) * (times.size() - 1) / (squares.size() - 1);
    interpolator.at(times[at], &squares[std::size_t(i)]);
  });
  double sum = 0;
  for (const double s : squares) sum += s;
  return std::sqrt(sum / double(squares.size()));
}

// The readout's times, each once, in order.
std::vector<double> uniqueTimes(std::span<const double> field, std::span<const double> times) {
  if (field.empty() || times.empty())
    throw Error("Cannot segment the readout",
                field.empty() ? "the field map is missing" : "the readout times are missing",
                "Give a field map and a scan with times, or use another transform");
  std::vector<double> unique(times.begin(), times.end());
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  return unique;
}

// histogram: of the values whose phases are approximated; fewest: segments to begin with.
Segmentation segmentOver(const Histogram& histogram, std::span<const double> field,
                         std::span<const double> times, const std::vector<double>& unique,
                         SegmentInterpolator kind, const Fit& fit, std::int64_t segments, std::int64_t fewest,
                         double accuracy, const Progress& progress) {
  const double first = unique.front(), last = unique.back();
  const Basis basis(histogram, first, last, kind, fit.margin);
  if (segments > basis.most())
    throw Error("Cannot segment the readout", std::to_string(segments) + " segments are too many",
                "Use at most " + std::to_string(basis.most()) + ", or the exact transform");

  Segmentation result;
  std::int64_t count = segments > 0 ? segments : std::min(fewest, basis.most());
  for (;; ++count) {
    progress.checkpoint();
    result.predicted =
        predictedError(Interpolator(histogram, basis, kind, count, first, last, fit.minEigenvalue), unique);
    if (segments > 0 || result.predicted <= accuracy) break;
    if (count == basis.most())
      throw Error(
          "Cannot segment the readout",
          std::to_string(count) + " segments with this interpolator reach " + numberText(result.predicted),
          "Use the svd interpolator, ask for less accuracy, or use the exact transform");
  }
  result.segments = count;
  const Interpolator interpolator(histogram, basis, kind, count, first, last, fit.minEigenvalue);
  std::vector<Values> b(unique.size());
  parallelTasks(std::int64_t(unique.size()), 0, [&](std::int64_t i) {
    progress.checkpoint();
    b[std::size_t(i)] = interpolator.at(unique[std::size_t(i)]);
  });
  result.temporal.resize(std::size_t(count) * times.size());
  std::size_t at = 0;
  for (std::size_t j = 0; j < times.size(); ++j) {
    ++at;  // most follow the last one
    if (at >= unique.size() || unique[at] != times[j])
      at = std::size_t(std::lower_bound(unique.begin(), unique.end(), times[j]) - unique.begin());
    for (std::int64_t l = 0; l < count; ++l) result.temporal[std::size_t(l) * times.size() + j] = b[at](l);
  }
  result.spatial.resize(std::size_t(count) * field.size());
  parallelFor(std::int64_t(field.size()), 0, 256, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    Values c(count), phases;
    for (std::int64_t n = begin; n < end; ++n) {
      basis.at(field[std::size_t(n)], c, phases);
      for (std::int64_t l = 0; l < count; ++l)
        result.spatial[std::size_t(l) * field.size() + std::size_t(n)] = c(l);
    }
  });
  return result;
}

}  // namespace

Segmentation segment(std::span<const double> field, std::span<const double> times, SegmentInterpolator kind,
                     std::int64_t segments, double accuracy, const Progress& progress) {
  const std::vector<double> unique = uniqueTimes(field, times);
  const Histogram histogram = histogramOf(field, unique.back() - unique.front());
  return segmentOver(histogram, field, times, unique, kind, transformFit, segments, 1, accuracy, progress);
}

Segmentation segment(const GdftProblem& problem, SegmentInterpolator kind, std::int64_t segments,
                     double accuracy, const Progress& progress) {
  if (problem.forms.empty()) return segment(problem.field, problem.times, kind, segments, accuracy, progress);
  return segmentForms(problem, segments, accuracy, progress);
}

Segmentation segmentDifferences(std::span<const double> field, std::span<const double> times,
                                std::int64_t segments, double accuracy, const Progress& progress) {
  const std::vector<double> unique = uniqueTimes(field, times);
  const double duration = unique.back() - unique.front();
  const Histogram differences = differencesOf(histogramOf(field, duration), duration);
  // Fewer segments than turns of the phase cannot follow it.
  const double turns = 2 * differences.field.back() * duration / (2 * pi);
  return segmentOver(differences, field, times, unique, SegmentInterpolator::minMax, differenceFit, segments,
                     1 + std::int64_t(turns), accuracy, progress);
}

SegmentCheck makeSegmentCheck(const GdftProblem& problem) {
  SegmentCheck check;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  check.image.resize(std::size_t(problem.pixels()));
  for (cdouble& v : check.image) v = cdouble(cfloat(float(normal(random)), float(normal(random))));
  std::uniform_int_distribution<std::int64_t> sample(0, problem.samples() - 1);
  for (int i = 0; i < checkedSamples; ++i) check.selection.push_back(sample(random));
  GdftProblem checked = problem;
  checked.points.clear();
  checked.times.clear();
  checked.shots = 1;
  const auto dims = std::size_t(problem.dims);
  for (const std::int64_t j : check.selection) {
    const auto at = problem.points.begin() + std::ptrdiff_t(std::size_t(j) * dims);
    checked.points.insert(checked.points.end(), at, at + std::ptrdiff_t(dims));
    if (!problem.times.empty()) checked.times.push_back(problem.times[std::size_t(j)]);
  }
  checked.forms.turns.clear();
  for (std::int64_t f = 0; f < problem.forms.count; ++f)
    for (const std::int64_t j : check.selection)
      checked.forms.turns.push_back(problem.forms.turns[std::size_t(f * problem.samples() + j)]);
  check.exact.resize(check.selection.size());
  makeCpuGdft<double>(checked)->forward(check.image.data(), check.exact.data(), 1);
  return check;
}

double checkedError(const SegmentCheck& check, std::span<const cdouble> samples) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < check.selection.size(); ++i) {
    difference += std::norm(samples[std::size_t(check.selection[i])] - check.exact[i]);
    norm += std::norm(check.exact[i]);
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0;
}

std::int64_t segmentBatch(std::int64_t segments, std::int64_t pixels) {
  constexpr std::int64_t bytesPerPixel = 8 * 16;  // an oversampled grid in double
  const std::int64_t maxSegmentsAtOnce = std::max<std::int64_t>(1, maxBatchBytes / (pixels * bytesPerPixel));
  for (std::int64_t batch = std::min(segments, maxSegmentsAtOnce); batch > 1; --batch)
    if (segments % batch == 0) return batch;
  return 1;
}

}  // namespace spokelab
