// Frames of a few spokes of UnweightedRadial each, and what their reconstruction is measured by in
// exact arithmetic.
#pragma once

#include <cmath>

#include "engine/core/array.h"
#include "tests/engine/recon/sense/unweighted_radial.h"

namespace spokelab::test {

using E = UnweightedRadial;

inline constexpr int frameCount = 3;

// The samples that a frame takes: of every third spoke.
inline std::vector<int> samplesOf(int frame) {
  std::vector<int> samples;
  for (int s = frame; s < E::spokes; s += frameCount)
    for (int j = 0; j < E::length; ++j) samples.push_back(s * E::length + j);
  return samples;
}

// 1/2 |A x - y|^2 / D over such samples, by exact sums.
inline double misfit(const E& e, const std::vector<int>& samples, const cdouble* x) {
  double sum = 0;
  for (int c = 0; c < E::coils; ++c)
    for (const int j : samples) {
      const std::size_t row = std::size_t(c * E::samples + j);
      cdouble value = -cdouble(e.data[std::size_t(c)][std::size_t(j)]);
      for (int i = 0; i < E::pixels; ++i) value += e.matrix[row * E::pixels + std::size_t(i)] * x[i];
      sum += std::norm(value);
    }
  return sum / 2 / double(samples.size());
}

inline std::vector<int> allSamples() {
  std::vector<int> all(E::samples);
  for (int j = 0; j < E::samples; ++j) all[std::size_t(j)] = j;
  return all;
}

// The largest magnitude of A^H y / D.
inline double gridded(const E& e, const std::vector<int>& samples) {
  std::vector<cdouble> image(E::pixels);
  for (int c = 0; c < E::coils; ++c)
    for (const int j : samples)
      for (int i = 0; i < E::pixels; ++i)
        image[std::size_t(i)] +=
            std::conj(e.matrix[std::size_t(c * E::samples + j) * E::pixels + std::size_t(i)]) *
            cdouble(e.data[std::size_t(c)][std::size_t(j)]);
  double most = 0;
  for (const cdouble& v : image) most = std::max(most, std::abs(v) / double(samples.size()));
  return most;
}

// By a transform whose error is far below what the tests ask for.
inline SenseProblem exactProblem(const E& e) {
  SenseProblem problem = e.problem;
  problem.transform = TransformKind::nufft;
  problem.nufft.accuracy = 1e-9;
  problem.nufft.threads = 1;
  problem.precision = Precision::double64;
  return problem;
}

// The frames of a scan with points of their own, and their samples.
struct Frames {
  std::vector<std::vector<cfloat>> samples;  // [frame and coil][sample]
  std::vector<SenseProblem> problems;

  explicit Frames(const E& e) {
    samples.reserve(std::size_t(frameCount * E::coils));
    for (int t = 0; t < frameCount; ++t) {
      SenseProblem p = exactProblem(e);
      p.coils.clear();
      p.points.own().clear();
      p.shotOffsets = {0, std::int64_t(samplesOf(t).size())};
      for (const int j : samplesOf(t))
        for (const int d : {0, 1}) p.points.own().push_back(e.problem.points[std::size_t(2 * j + d)]);
      for (std::size_t c = 0; c < E::coils; ++c) {
        samples.emplace_back();
        for (const int j : samplesOf(t)) samples.back().push_back(e.data[c][std::size_t(j)]);
        p.coils.emplace_back(static_cast<const cfloat*>(samples.back().data()));
      }
      if (t > 0) p.maps.clear();
      problems.push_back(std::move(p));
    }
  }
};

inline Buffer<cdouble> bufferOf(const std::vector<cdouble>& image) {
  return Buffer<cdouble>(image.begin(), image.end());
}

// How far an objective 1/2 sum_t |A_t x_t - y_t|^2 / D_t + weight R(x) of value `objective` can be
// above the smallest, by the dual value of the residuals r = y - A x, shortened by a factor c so
// that the dual norm of A^H r c / D is at most `weight`:
//   F(x) - F* <= F(x) - c Re <y, r> / D + c^2 |r|^2 / (2 D)
// dualNorm(g): the largest Re <g, x> over all x with R(x) <= 1, of g [frame, pixel].
template <class DualNorm>
double dualityGap(const E& e, const cdouble* x, double weight, double objective, const DualNorm& dualNorm) {
  Buffer<cdouble> gradient(std::size_t(frameCount * E::pixels), cdouble(0));
  double residual = 0, product = 0;
  for (int t = 0; t < frameCount; ++t) {
    const std::vector<int> samples = samplesOf(t);
    const auto count = double(samples.size());
    for (int c = 0; c < E::coils; ++c)
      for (const int j : samples) {
        const cdouble* const row = e.matrix.data() + std::size_t(c * E::samples + j) * E::pixels;
        const cdouble y(e.data[std::size_t(c)][std::size_t(j)]);
        cdouble r = y;
        for (int i = 0; i < E::pixels; ++i) r -= row[i] * x[t * E::pixels + i];
        for (int i = 0; i < E::pixels; ++i)
          gradient[std::size_t(t * E::pixels + i)] += std::conj(row[i]) * r / count;
        residual += std::norm(r) / count;
        product += (std::conj(y) * r).real() / count;
      }
  }
  const double shorter = std::min(1.0, weight / dualNorm(gradient));
  return objective - shorter * product + shorter * shorter * residual / 2;
}

}  // namespace spokelab::test
