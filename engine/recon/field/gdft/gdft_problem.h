// Exact field-corrected DFT ([formulas]; [cudadft] 2):
//   Gdft     s_j = sum_n m_n e^{-i (2 pi k_j . r_n + dw_n t_j)} e^{-R_n t_j}
//   GdftR2   each term times prod_d sinc(k_d / N_d + G_d,n t_j), sinc(x) = sin(pi x) / (pi x)
// k in cycles/FOV, r_n = n_d / N_d with n_d from -floor(N_d / 2), or any coordinates given in FOV
// units; dw in rad/s; t in s after the time origin of the field map (the RF centre); R (R2*) in
// 1/s; G in cycles/s per voxel. Forms add sum_f b_fj q_fn turns to the phase. The adjoint
// conjugates. In float the error is below 1e-5 relative to double at phases of thousands of
// radians.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/array.h"
#include "engine/recon/operators/exact_sum_rows.h"

namespace spokelab {

// The GPU's ways to sum (the CPU has one): reference is the kernel of [cudadft], one thread an
// output; tiled the default; sharedTimes where all shots have the same readout times, on the
// regular grid without sinc or decay (automatic takes it there).
enum class GdftMethod { automatic, reference, tiled, sharedTimes };

// Phases that a field times time cannot describe: sum_f turns_fj places_fn, in turns. Concomitant
// fields make such ones: turns in turns/m², places in m² (engine/recon/field/second_order.h).
struct PhaseForms {
  std::int64_t count = 0;
  std::vector<double> turns;   // [form, sample]
  std::vector<double> places;  // [form, pixel]

  bool empty() const { return count == 0; }
};
inline constexpr std::int64_t maxPhaseForms = 4;

struct GdftProblem {
  int dims = 2;
  Index3 matrix{1, 1, 1};           // regular grid, and the N_d of the voxel's sinc
  std::vector<double> coordinates;  // [pixel, dims] in FOV units, or empty: the regular grid
  std::vector<double> points;       // [sample, dims] in cycles/FOV
  std::vector<double> times;        // [sample] s, or empty: no field, gradient or decay acts
  std::vector<double> field;        // [pixel] rad/s, or empty: 0
  std::vector<double> decay;        // [pixel] 1/s, or empty: 0
  bool intravoxel = false;          // GdftR2; with no gradient given it is prod_d sinc(k_d / N_d)
  std::vector<double> gradient;     // [dims, pixel] cycles/s per voxel, or empty: 0
  PhaseForms forms;                 // times are not needed for them

  // Shots of equal length, one after the other: the GPU sees from it that they share their times.
  std::int64_t shots = 1;
  GdftMethod method = GdftMethod::automatic;
  bool reproducible = false;  // every run has to give the same bits

  std::int64_t samples() const { return std::int64_t(points.size()) / dims; }
  std::int64_t pixels() const {
    return coordinates.empty() ? product(matrix) : std::int64_t(coordinates.size()) / dims;
  }
  bool hasPhases() const { return !field.empty() || !forms.empty(); }
  // rad, of field and forms.
  double phaseAt(std::size_t pixel, std::size_t sample) const;
};

// Throws Error where sizes do not fit each other or a number is not finite.
void validate(const GdftProblem& problem);

}  // namespace spokelab
