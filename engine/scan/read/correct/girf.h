// Gradient impulse response functions: what the gradient system makes of the gradients it is asked
// for.
//   G_out(f) = H_1(f) G_in(f) on each axis;  field(f) = Σ_d H_0,d(f) G_d(f)
// S. J. Vannesjo et al., MRM 69:583 (2013). Order 1 has no unit, order 0 is a length (m).
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct Girf {
  std::vector<double> frequencies;               // Hz, ascending
  std::vector<std::array<cdouble, 3>> gradient;  // order 1: x, y, z
  std::vector<std::array<cdouble, 3>> field;     // order 0, m; empty: not known

  // Linear between the frequencies; the outermost ones hold beyond them.
  std::array<cdouble, 3> gradientAt(double frequency) const;
  std::array<cdouble, 3> fieldAt(double frequency) const;
};

// A table with a row for each frequency, negative ones included: frequency, H_1 of x, y, z, and H_0
// of x, y, z where it is known. As a complex array [frequency, 4 or 7] (.npy, file.mat:variable,
// …), a real one with real and imaginary parts [frequency, 7 or 13], or CSV with the same columns.
// FILE*0.5 means that share of what the response changes. Throws Error, Cancelled.
Girf readGirf(const std::filesystem::path& file, const Progress& progress);

// The response of a system that changes `share` times as much: 1 + share (H_1 - 1) and share H_0.
Girf girfShare(Girf girf, double share);

struct GirfResult {
  std::vector<double> points;      // [sample, dims], the same unit
  std::vector<double> fieldTurns;  // [sample]: turns of phase by order 0; empty where it is not known
};

// One shot whose samples are `dwell` seconds apart. `perMetre` times a point is 1/m, along each
// axis. Before its first sample the gradient has that sample's value, or is 0 if that value is
// small.
GirfResult applyGirf(const Girf& girf, const std::vector<double>& points, int dims, double dwell,
                     const Vec3& perMetre);

}  // namespace spokelab
