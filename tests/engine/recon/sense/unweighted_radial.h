// Unweighted radial samples of three coils, by exact sums, and conjugate gradients over them in
// exact arithmetic. The middle of k-space is sampled far more often than the rim, so that a few
// eigenvalues lie far above the others: rounding soon takes the residuals' orthogonality away.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/recon/sense/sense_problem.h"

namespace spokelab::test {

struct UnweightedRadial {
  static constexpr int side = 20, pixels = side * side, coils = 3, spokes = 18, length = 2 * side,
                       samples = spokes * length, rows = coils * samples;

  SenseProblem problem;
  std::vector<std::vector<cfloat>> data;  // [coil][sample]
  std::vector<cdouble> matrix;            // [coil and sample, pixel]
  std::vector<cdouble> right;             // of the normal equations, over the number of samples

  UnweightedRadial() {
    constexpr double pi = std::numbers::pi;
    SenseProblem& p = problem;
    p.dims = 2;
    p.matrix = {side, side, 1};
    p.shotOffsets = {0};
    for (int s = 0; s < spokes; ++s) {
      for (int j = 0; j < length; ++j) {
        const double r = (double(j) / length - 0.5) * side, angle = pi * s / spokes;
        p.points.own().insert(p.points.own().end(), {r * std::cos(angle), r * std::sin(angle)});
      }
      p.shotOffsets.push_back(p.shotOffsets.back() + length);
    }
    std::vector<cdouble> truth(pixels);
    matrix.resize(std::size_t(rows) * pixels);
    p.maps.resize(std::size_t(coils) * pixels);
    for (int i = 0; i < pixels; ++i) {
      const double x = double(i % side) / side - 0.5, y = double(i / side) / side - 0.5;
      truth[std::size_t(i)] =
          std::hypot(x, y) < 0.4 ? cdouble(1 + 0.5 * std::cos(9 * x) * std::sin(7 * y), x) : 0;
      for (int c = 0; c < coils; ++c) {
        const double a = 2 * pi * c / coils, d = std::hypot(x - 0.5 * std::cos(a), y - 0.5 * std::sin(a));
        const cfloat map(std::polar(0.9 * std::exp(-3 * d * d), 3 * x * std::cos(a)));
        p.maps[std::size_t(c * pixels + i)] = map;
        for (int j = 0; j < samples; ++j) {
          const double turns = p.points[std::size_t(2 * j)] * x + p.points[std::size_t(2 * j + 1)] * y;
          matrix[std::size_t(c * samples + j) * pixels + std::size_t(i)] =
              cdouble(map) * std::polar(1.0, -2 * pi * turns);
        }
      }
    }
    std::vector<cdouble> measured = forward(truth);
    data.assign(coils, std::vector<cfloat>(samples));
    for (std::size_t row = 0; row < rows; ++row) {
      cfloat& value = data[row / samples][row % samples];
      value = cfloat(measured[row]);
      measured[row] = cdouble(value);
    }
    for (const auto& coil : data) p.coils.push_back(coil.data());
    right = adjoint(measured);
  }
  UnweightedRadial(const UnweightedRadial&) = delete;
  UnweightedRadial& operator=(const UnweightedRadial&) = delete;

  // Double precision, each residual made orthogonal to all before.
  std::vector<cdouble> exactIterate(int iterations) const {
    std::vector<cdouble> x(pixels), r = right, p = r;
    std::vector<std::vector<cdouble>> units;
    for (int i = 0; i < iterations; ++i) {
      const double square = inner(r, r).real();
      units.push_back(r);
      for (cdouble& v : units.back()) v /= std::sqrt(square);
      const std::vector<cdouble> ap = adjoint(forward(p));
      const double step = square / inner(p, ap).real();
      add(step, p, x);
      add(-step, ap, r);
      for (int pass = 0; pass < 2; ++pass)
        for (const auto& unit : units) add(-inner(unit, r), unit, r);
      const double ratio = inner(r, r).real() / square;
      for (std::size_t k = 0; k < p.size(); ++k) p[k] = r[k] + ratio * p[k];
    }
    return x;
  }

 private:
  using Vector = std::vector<cdouble>;
  static cdouble inner(const Vector& a, const Vector& b) {
    cdouble sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
    return sum;
  }
  static void add(cdouble factor, const Vector& from, Vector& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
  }
  Vector forward(const Vector& image) const {
    Vector out(rows);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < pixels; ++i) out[row] += matrix[row * pixels + i] * image[i];
    return out;
  }
  Vector adjoint(const Vector& values) const {  // over the number of samples
    Vector out(pixels);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < pixels; ++i)
        out[i] += std::conj(matrix[row * pixels + i]) * values[row] / double(samples);
    return out;
  }
};

}  // namespace spokelab::test
