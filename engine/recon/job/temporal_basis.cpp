#include "engine/recon/job/temporal_basis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/core/text.h"
#include "engine/recon/job/fingerprints.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {
namespace {

constexpr double secondsPerMillisecond = 1e-3;
constexpr const char* otherBasis = "Give another basis (basis), or leave it out: it is made of decays by T2";

std::string timesText(const std::vector<double>& times) {
  const auto ms = [](double s) { return numberText(s / secondsPerMillisecond, 3); };
  return countText(std::int64_t(times.size()), "echo time") + " (" + ms(times.front()) + " ... " +
         ms(times.back()) + " ms)";
}

std::vector<double> echoTimes(const BasisRequest& request, const SubspaceOptions& options) {
  std::vector<double> times;
  if (!options.echoTimes.empty()) {
    times = realNumberList(options.echoTimes, request.summary);
    for (double& t : times) t *= secondsPerMillisecond;
    if (times.size() == request.frames.size()) return times;
    if (int(times.size()) != request.count)
      throw Error(request.summary,
                  countText(std::int64_t(times.size()), "echo time") + " for " +
                      countText(std::int64_t(request.frames.size()), "frame"),
                  "Give one echo time a frame (echo-times)");
    std::vector<double> chosen;
    for (const int f : request.frames) chosen.push_back(times[std::size_t(f)]);
    return chosen;
  }
  for (std::size_t f = 0; f < request.frames.size(); ++f)
    if (const auto value = request.axes.value(int(f), FrameMeaning::echo)) times.push_back(*value);
  if (times.size() != request.frames.size())
    throw Error(request.summary, "the scan does not say the echo times of its frames, so decays are unknown",
                "Give the echo times in ms (echo-times), or a basis (basis)");
  return times;
}

TemporalBasis decaysOf(const BasisRequest& request, const SubspaceOptions& options) {
  const std::string range = options.t2Range.empty() ? SubspaceOptions{}.t2Range : options.t2Range;
  NumberWindow t2 = numberWindow(range, request.summary);
  if (!(t2.low > 0) || !(t2.high > t2.low) || !std::isfinite(t2.high))
    throw Error(request.summary, "a range of T2 needs two numbers above 0, and " + range + " has not",
                "Give it in ms, as in 10-2000 (t2-range)");
  t2.low *= secondsPerMillisecond;
  t2.high *= secondsPerMillisecond;
  const std::vector<double> times = echoTimes(request, options);
  double error = 0;
  TemporalBasis basis = decayBasis(times, t2, options.coefficients, options.basisError, error);
  basis.origin = countText(basis.coefficients, "singular vector") + " of decays with T2 " + range +
                 " ms at " + timesText(times) + ", largest error " + numberText(100 * error, 2) + " %";
  return basis;
}

// Throws Error where a coefficient acts on no frame, or is a combination of the ones before it.
void requireIndependent(const TemporalBasis& basis, const std::string& description,
                        const std::string& summary) {
  // The least eigenvalue of the normalized Gram matrix; single precision errs by 1e-14.
  constexpr double minOwnShare = 1e-11;
  const auto count = std::size_t(basis.coefficients);
  std::vector<double> lengths(count);
  for (std::size_t i = 0; i < basis.values.size(); ++i) lengths[i % count] += std::norm(basis.values[i]);
  for (std::size_t k = 0; k < count; ++k)
    if (!(lengths[k] > 0))
      throw Error(summary, description + ", and coefficient " + std::to_string(k + 1) + " is 0 in all frames",
                  "Leave this coefficient out of the basis");
  std::vector<cdouble> gram(count * count);
  for (std::size_t t = 0; t < std::size_t(basis.frames); ++t)
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        gram[a * count + b] += std::conj(basis.values[t * count + a]) * basis.values[t * count + b] /
                               std::sqrt(lengths[a] * lengths[b]);
  const std::vector<double> shares = hermitianEigen(gram, basis.coefficients).values;
  const auto rank = std::count_if(shares.begin(), shares.end(), [](double v) { return v > minOwnShare; });
  if (rank < std::ptrdiff_t(count))
    throw Error(summary,
                description + ": " + std::to_string(count) + " coefficients of rank " + std::to_string(rank) +
                    ", so that some are combinations of the others",
                "Ask for " + countText(rank, "coefficient") +
                    " (coefficients), or give the singular vectors of this basis");
}

TemporalBasis readBasis(const BasisRequest& request, const SubspaceOptions& options) {
  const ArrayFile file(options.basis);
  std::vector<std::int64_t> sizes = file.header().shape;  // [frame, coefficient] as its users count
  std::erase(sizes, 1);
  const auto chosenFrames = std::int64_t(request.frames.size()), scanFrames = std::int64_t(request.count);
  const auto isFrames = [&](std::int64_t n) { return n == chosenFrames || n == scanFrames; };
  const std::string found =
      "the basis " + options.basis + " has " + shapeText(file.header().shape) + " values";
  if (sizes.empty() || sizes.size() > 2)
    throw Error(request.summary, found + ", and a basis has two sizes: frames and coefficients", otherBasis);
  if (sizes.size() == 1) sizes.push_back(1);
  const bool turned = !isFrames(sizes[0]) && isFrames(sizes[1]);
  if (!turned && !isFrames(sizes[0]))
    throw Error(request.summary,
                found + ", and none of its sizes is the number of frames, " + std::to_string(chosenFrames),
                otherBasis);
  const std::int64_t rows = turned ? sizes[1] : sizes[0], columns = turned ? sizes[0] : sizes[1];
  if (columns > chosenFrames)
    throw Error(
        request.summary,
        found + ": " + std::to_string(columns) + " coefficients for " + countText(chosenFrames, "frame"),
        "Use a basis with fewer coefficients than frames");
  const auto vectorCount = options.coefficients > 0 ? std::int64_t(options.coefficients) : columns;
  if (vectorCount > columns)
    throw Error(request.summary,
                std::to_string(vectorCount) + " coefficients are asked for, and the basis has " +
                    std::to_string(columns),
                "Ask for fewer coefficients");
  const Buffer<cdouble> values = file.readAll<cdouble>({}, "the basis");
  // readAll() has the outermost axis first; BART's and MATLAB's is the last.
  const bool rowsInner = turned != file.header().firstAxisInnermost;
  TemporalBasis basis;
  basis.frames = int(chosenFrames);
  basis.coefficients = int(vectorCount);
  for (std::int64_t t = 0; t < chosenFrames; ++t) {
    const std::int64_t row = rows == chosenFrames ? t : request.frames[std::size_t(t)];
    for (std::int64_t k = 0; k < vectorCount; ++k)
      basis.values.push_back(values[std::size_t(rowsInner ? k * rows + row : row * columns + k)]);
  }
  for (const cdouble& v : basis.values)
    if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
      throw Error(request.summary, found + ", and one is not a finite number",
                  "Write the basis again without NaN and infinity");
  if (std::all_of(basis.values.begin(), basis.values.end(), [](const cdouble& v) { return v == 0.0; }))
    throw Error(request.summary, found + ", which are all 0", otherBasis);
  requireIndependent(basis, found, request.summary);
  basis.origin = countText(basis.coefficients, "coefficient") + " of " + options.basis;
  return basis;
}

NumberWindow secondsOf(const std::string& text, const std::string& usual, const BasisRequest& request) {
  NumberWindow window = numberWindow(text.empty() ? usual : text, request.summary);
  if (!(window.low > 0) || !(window.high > window.low) || !std::isfinite(window.high))
    throw Error(request.summary, "a range of T1 or T2 needs two numbers above 0, and " + text + " has not",
                "Give it in ms, as in 100-3000 (t1-range, t2-range)");
  window.low *= secondsPerMillisecond;
  window.high *= secondsPerMillisecond;
  return window;
}

// Throws Error where the scan's frames cannot be the excitations of the usual train.
void requireExcitations(const BasisRequest& request, double repetition) {
  constexpr double maxRatio = 1.5;  // of the times between frames, which stamps round
  const std::string remedy =
      "Give the flip angle of each frame (flip-angles) and the repetition time, or use the method subspace";
  std::vector<FrameAxis> axes = request.axes.axes;
  std::erase_if(axes, [](const FrameAxis& axis) { return axis.size < 2; });  // the one echo time
  if (axes.size() != 1 || axes.front().meaning != FrameMeaning::time)
    throw Error(request.summary,
                axes.empty() ? "the scan does not say that its frames are excitations, one after the other"
                             : "its frames are " + request.axes.summary() +
                                   ", and not excitations, one after the other",
                remedy);
  const std::vector<double>& times = axes.front().values;
  if (times.size() < 2)
    throw Error(request.summary,
                "the scan does not say when its frames were measured, so that they may be no excitations",
                remedy);
  const double apart = (times.back() - times.front()) / double(times.size() - 1);
  if (apart <= maxRatio * repetition && repetition <= maxRatio * apart) return;
  const auto ms = [](double s) { return numberText(s / secondsPerMillisecond, 3) + " ms"; };
  throw Error(
      request.summary,
      "its frames are " + ms(apart) + " apart, and fingerprints have an excitation every " + ms(repetition),
      remedy);
}

TemporalBasis fingerprintsOf(const BasisRequest& request, const SubspaceOptions& options) {
  constexpr double radiansPerDegree = std::numbers::pi / 180;
  if (!options.basis.empty())
    throw Error(request.summary, "its fingerprints make its basis",
                "Leave out basis, or use the method subspace");
  FingerprintRequest fingerprints;
  if (options.flipAngles.empty()) {
    requireExcitations(request, options.repetitionTime * secondsPerMillisecond);
    fingerprints.sequence = fingerprintSequence(request.count);
  } else {
    for (const double degrees : realNumberList(options.flipAngles, request.summary))
      fingerprints.sequence.flips.push_back(degrees * radiansPerDegree);
    if (int(fingerprints.sequence.flips.size()) != request.count)
      throw Error(request.summary,
                  countText(std::int64_t(fingerprints.sequence.flips.size()), "flip angle") + " for " +
                      countText(request.count, "frame"),
                  "Give one flip angle a frame (flip-angles)");
  }
  if (int(request.frames.size()) != request.count)
    throw Error(request.summary, "fingerprints need all excitations, and some frames are left out",
                "Reconstruct all frames");
  fingerprints.sequence.repetition = options.repetitionTime * secondsPerMillisecond;
  fingerprints.sequence.inversion = options.inversionTime * secondsPerMillisecond;
  const SubspaceOptions usual;
  fingerprints.t1 = secondsOf(options.t1Range, usual.t1Range, request);
  fingerprints.t2 = secondsOf(options.t2Range, usual.t2Range, request);
  if (fingerprints.t2.low > fingerprints.t1.high)
    throw Error(request.summary, "all T2 are longer than all T1", "Give another t1-range or t2-range");
  fingerprints.coefficients = options.coefficients;
  fingerprints.error = options.basisError;
  TemporalBasis basis;
  basis.dictionary = fingerprintDictionary(fingerprints);
  basis.frames = request.count;
  basis.coefficients = basis.dictionary->coefficients;
  for (int t = 0; t < basis.frames; ++t)
    for (int k = 0; k < basis.coefficients; ++k)
      basis.values.push_back(basis.dictionary->vectors[std::size_t(k * basis.frames + t)]);
  basis.origin = countText(basis.coefficients, "singular vector") + " of " +
                 countText(std::int64_t(basis.dictionary->t1.size()), "fingerprint") + " with T1 " +
                 (options.t1Range.empty() ? usual.t1Range : options.t1Range) + " ms and T2 " +
                 (options.t2Range.empty() ? usual.t2Range : options.t2Range) + " ms, largest error " +
                 numberText(100 * basis.dictionary->largestError, 2) + " %";
  if (options.flipAngles.empty())
    basis.origin += ", by the flip angles of simulated scans (flip-angles are not given)";
  return basis;
}

}  // namespace

TemporalBasis temporalBasis(const BasisRequest& request, const SubspaceOptions& options) {
  if (options.coefficients > int(request.frames.size()))
    throw Error(request.summary,
                std::to_string(options.coefficients) + " coefficients are asked for, and there are " +
                    countText(std::int64_t(request.frames.size()), "frame"),
                "Ask for fewer coefficients than frames (coefficients)");
  if (request.fingerprints) return fingerprintsOf(request, options);
  return options.basis.empty() ? decaysOf(request, options) : readBasis(request, options);
}

TemporalBasis decayBasis(const std::vector<double>& echoTimes, const NumberWindow& t2, int coefficients,
                         double error, double& largestError) {
  constexpr int decays = 96;
  const int frames = int(echoTimes.size());
  const double first = *std::min_element(echoTimes.begin(), echoTimes.end());
  std::vector<double> table(std::size_t(decays * frames));  // [decay, frame]
  for (int d = 0; d < decays; ++d) {
    const double time = t2.low * std::pow(t2.high / t2.low, double(d) / (decays - 1));
    double* const row = table.data() + std::size_t(d * frames);
    double square = 0;
    // From the first echo on: a short T2 would have no length otherwise.
    for (int t = 0; t < frames; ++t) {
      row[t] = std::exp(-(echoTimes[std::size_t(t)] - first) / time);
      square += row[t] * row[t];
    }
    for (int t = 0; t < frames; ++t) row[t] /= std::sqrt(square);
  }
  const std::vector<double> vectors = leadingVectors(table, frames, coefficients, error, largestError);
  TemporalBasis basis;
  basis.frames = frames;
  basis.coefficients = int(vectors.size()) / frames;
  for (int t = 0; t < frames; ++t)
    for (int k = 0; k < basis.coefficients; ++k) basis.values.push_back(vectors[std::size_t(k * frames + t)]);
  return basis;
}

}  // namespace spokelab
