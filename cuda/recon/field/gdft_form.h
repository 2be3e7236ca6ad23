// Chooses the float kernels of a Gdft problem: their variant, the form of their arithmetic, and its
// numbers.
#pragma once

#include <cmath>
#include <vector>

#include "cuda/recon/field/gdft_arrays.h"
#include "engine/recon/field/gdft/gdft.h"

namespace spokelab::gpu {

// Values of a problem by sample j or pixel i; 0 where it has none. Units as in the problem: k in
// cycles/FOV, t in s, r in FOV units, field in rad/s, gradient in cycles/s per voxel, decay in 1/s.
struct GdftReader {
  const GdftProblem& p;
  std::size_t dims = std::size_t(p.dims);

  double k(std::int64_t j, std::size_t d) const { return d < dims ? p.points[std::size_t(j) * dims + d] : 0; }
  double t(std::int64_t j) const { return p.times.empty() ? 0 : p.times[std::size_t(j)]; }
  double size(std::size_t d) const { return double(p.matrix[d]); }
  double r(std::int64_t i, std::size_t d) const {
    if (d >= dims) return 0;
    if (!p.coordinates.empty()) return p.coordinates[std::size_t(i) * dims + d];
    const std::int64_t stride = d == 0 ? 1 : d == 1 ? p.matrix[0] : p.matrix[0] * p.matrix[1];
    return double(i / stride % p.matrix[d] - p.matrix[d] / 2) / size(d);
  }
  double field(std::int64_t i) const { return p.field.empty() ? 0 : p.field[std::size_t(i)]; }
  double gradient(std::int64_t i, std::size_t d) const {
    return p.gradient.empty() || !p.intravoxel || d >= dims
               ? 0
               : p.gradient[d * std::size_t(p.pixels()) + std::size_t(i)];
  }
  // Turns of a sample and place of a pixel for form f; 0 from forms.count on.
  double turns(std::int64_t j, std::int64_t f) const {
    return f < p.forms.count ? p.forms.turns[std::size_t(f * p.samples() + j)] : 0;
  }
  double place(std::int64_t i, std::int64_t f) const {
    return f < p.forms.count ? p.forms.places[std::size_t(f * p.pixels() + i)] : 0;
  }
  double decay(std::int64_t i) const { return p.decay.empty() ? 0 : p.decay[std::size_t(i)]; }
};

// The part of v that its rounding to float leaves out.
inline float lowHalf(double v) {
  return float(v - double(float(v)));
}

// 2^32 times the fraction of a turn.
inline unsigned fixedStep(double turns) {
  const double part = turns - std::nearbyint(turns);
  return unsigned(std::int64_t(std::llround(std::ldexp(part, 32))));
}

// Middle between the smallest and the largest value, 0 for none.
double middleOf(const std::vector<double>& values);

// The cheapest form whose error is allowed.
GdftForm formOf(const GdftProblem& problem);

// Throws Error where a method is asked for that the problem does not allow.
GdftVariant variantOf(const GdftProblem& problem);

}  // namespace spokelab::gpu
