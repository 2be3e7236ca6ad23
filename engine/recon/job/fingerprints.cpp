#include "engine/recon/job/fingerprints.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "engine/core/hermitian.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr double fingerprintGridStep = 1.05;  // from one T1, or T2, to the next

std::vector<double> fingerprintGrid(const NumberWindow& window) {
  const int steps =
      std::max(1, int(std::lround(std::log(window.high / window.low) / std::log(fingerprintGridStep))));
  std::vector<double> grid;
  for (int i = 0; i <= steps; ++i)
    grid.push_back(window.low * std::pow(window.high / window.low, double(i) / steps));
  return grid;
}

double toUnitLength(double* values, int count) {
  double square = 0;
  for (int i = 0; i < count; ++i) square += values[i] * values[i];
  const double length = std::sqrt(square);
  for (int i = 0; i < count && length > 0; ++i) values[i] /= length;
  return length;
}

std::shared_ptr<const FingerprintDictionary> makeDictionary(const FingerprintRequest& request) {
  auto dictionary = std::make_shared<FingerprintDictionary>();
  const int frames = int(request.sequence.flips.size());
  for (const double t1 : fingerprintGrid(request.t1))
    for (const double t2 : fingerprintGrid(request.t2))
      if (t2 <= t1) {
        dictionary->t1.push_back(t1);
        dictionary->t2.push_back(t2);
      }
  const std::size_t count = dictionary->t1.size();
  std::vector<double> signals(count * std::size_t(frames));
  dictionary->lengths.resize(count);
  parallelFor(std::int64_t(count), 0, 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto a = std::size_t(begin); a < std::size_t(end); ++a) {
      const std::vector<double> signal =
          fingerprintSignal(request.sequence, dictionary->t1[a], dictionary->t2[a]);
      double* const row = signals.data() + a * std::size_t(frames);
      std::copy(signal.begin(), signal.end(), row);
      dictionary->lengths[a] = toUnitLength(row, frames);
    }
  });
  dictionary->vectors =
      leadingVectors(signals, frames, request.coefficients, request.error, dictionary->largestError);
  dictionary->coefficients = int(dictionary->vectors.size()) / frames;
  dictionary->values.resize(count * std::size_t(dictionary->coefficients));
  for (std::size_t a = 0; a < count; ++a) {
    double* const row = dictionary->values.data() + a * std::size_t(dictionary->coefficients);
    for (int k = 0; k < dictionary->coefficients; ++k)
      for (int t = 0; t < frames; ++t)
        row[k] += dictionary->vectors[std::size_t(k * frames + t)] *
                  signals[a * std::size_t(frames) + std::size_t(t)];
    dictionary->lengths[a] *= toUnitLength(row, dictionary->coefficients);
  }
  return dictionary;
}

}  // namespace

template <class Real>
FingerprintMatch FingerprintDictionary::match(const std::complex<Real>* given, std::size_t stride) const {
  FingerprintMatch best;
  double largestMatch = 0;
  for (std::size_t a = 0; a < t1.size(); ++a) {
    const double* const row = values.data() + a * std::size_t(coefficients);
    double re = 0, im = 0;
    for (int k = 0; k < coefficients; ++k) {
      const std::complex<Real> c = given[std::size_t(k) * stride];
      re += row[k] * double(c.real());
      im += row[k] * double(c.imag());
    }
    const double square = re * re + im * im;
    if (!(square > largestMatch)) continue;
    largestMatch = square;
    best = {t1[a], t2[a], std::complex<double>(re, im) / lengths[a]};
  }
  return best;
}
template FingerprintMatch FingerprintDictionary::match(const std::complex<float>*, std::size_t) const;
template FingerprintMatch FingerprintDictionary::match(const std::complex<double>*, std::size_t) const;

bool FingerprintRequest::operator==(const FingerprintRequest& o) const {
  return sequence.flips == o.sequence.flips && sequence.repetition == o.sequence.repetition &&
         sequence.inversion == o.sequence.inversion && t1.low == o.t1.low && t1.high == o.t1.high &&
         t2.low == o.t2.low && t2.high == o.t2.high && coefficients == o.coefficients && error == o.error;
}

std::shared_ptr<const FingerprintDictionary> fingerprintDictionary(const FingerprintRequest& request) {
  static std::mutex one;
  static std::pair<FingerprintRequest, std::shared_ptr<const FingerprintDictionary>> last;
  const std::lock_guard<std::mutex> lock(one);
  if (!last.second || !(last.first == request)) last = {request, makeDictionary(request)};
  return last.second;
}

std::vector<double> leadingVectors(const std::vector<double>& signals, int frames, int coefficients,
                                   double error, double& largestError) {
  const std::size_t n = std::size_t(frames), count = signals.size() / n;
  std::vector<cdouble> gram(n * n);
  parallelFor(std::int64_t(n), 0, 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto a = std::size_t(begin); a < std::size_t(end); ++a)
      for (std::size_t s = 0; s < count; ++s) {
        const double* const row = signals.data() + s * n;
        for (std::size_t b = 0; b < n; ++b) gram[a * n + b] += row[a] * row[b];
      }
  });
  HermitianEigen eigen = hermitianEigen(gram, frames);
  std::vector<double> left(count, 1), vectors;  // left: of each signal's square
  largestError = 1;
  const int maxVectors = coefficients > 0 ? std::min(coefficients, frames) : frames;
  for (int k = 0; k < maxVectors && (coefficients > 0 || largestError > error); ++k) {
    cdouble* const vector = eigen.vectors.data() + std::size_t(k) * n;
    // Real, and the largest value above 0.
    const cdouble largest = *std::max_element(
        vector, vector + n, [](const cdouble& a, const cdouble& b) { return std::norm(a) < std::norm(b); });
    for (std::size_t t = 0; t < n; ++t)
      vectors.push_back((vector[t] * std::conj(largest) / std::abs(largest)).real());
    const double* const newVector = vectors.data() + std::size_t(k) * n;
    double worst = 0;
    for (std::size_t s = 0; s < count; ++s) {
      double part = 0;
      for (std::size_t t = 0; t < n; ++t) part += newVector[t] * signals[s * n + t];
      left[s] -= part * part;
      worst = std::max(worst, left[s]);
    }
    largestError = std::sqrt(std::max(0.0, worst));
  }
  return vectors;
}

}  // namespace spokelab
