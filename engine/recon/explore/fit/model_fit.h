// Fits to the samples what the model of a scan leaves open: gradient delays and a field of low
// order, by variable projection:
//   min over p, x of  sum_c |W^{1/2} (E(p) C_c x - y_c)|²
//   E_jn = e^{-i (2 pi k_j(p) . r_n + w_n(p) t_j)}
//   k_d(p) = k_d(j - tau_d),   w(p) = w + 2 pi sum_i f_i phi_i(r)
// Gauss-Newton steps with Levenberg and Marquardt's damping take the derivatives of the transform,
//   dE/dk_d x = -2 pi i E (r_d x),   dE/df_i x = -2 pi i t E (phi_i x),
// less the part that another image explains. G. Golub, V. Pereyra, SIAM J. Numer. Anal. 10:413
// (1973). A value whose derivative another image explains cannot be told: it is left out, with a
// note. A scale of k is such a value for every scan, as it is a scale of the image.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct ModelUnknowns {
  bool delays = true;
  int fieldOrder = -1;  // polynomials of x, y (and z) up to this order, at most 2; -1: no field
  // Pixels an axis: few, as the centre of k-space tells the parameters; the scan's with given maps.
  std::int64_t matrix = 32;
};

struct FittedValue {
  std::string name, unit;  // "delay x" in samples, "field x" in Hz over the field of view
  double value = 0, deviation = 0;
  bool told = true;  // false: the samples do not tell it
};

// "0.610 ± 0.012 samples", to the second digit of the deviation. plusMinus: "±", or in ASCII.
std::string valueText(const FittedValue& value, const std::string& plusMinus);

struct ModelFit {
  std::vector<FittedValue> values;
  Vec3 delays{0, 0, 0};
  std::shared_ptr<const Image> field;  // rad/s, on the grid of the scan: what was added; null: not asked for
  double before = 0, after = 0;        // |W^{1/2} (E C x - y)| / |W^{1/2} y|
  int iterations = 0;
  std::vector<std::string> notes;
};

// Fits the first chosen frame in the middle chosen slice. Throws Error, Cancelled.
ModelFit fitModel(const Scan& scan, const ReconOptions& options, const ModelUnknowns& unknowns,
                  const Progress& progress);

// The choices that read a scan with the fit: gradient-delays = 0.31,-0.12; empty: none.
std::vector<std::pair<std::string, std::string>> readChoices(const ModelFit& fit, int dims);

}  // namespace spokelab
