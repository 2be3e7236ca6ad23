// The model of the samples near the centre of k-space that comparing trajectories and fitting
// delays share (self_consistency.h): s_j = sum over p of e^{-2πi k_j·r_p} x_p. The r_p are a
// coarse grid of points over the field of view, in fields of view, and k_j is in cycles/FOV. The
// image x is eliminated by damped least squares (factor).
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "engine/scan/read/named/self_consistency.h"

namespace spokelab {

struct CentreRow {
  std::int64_t shot = 0, sample = 0;
};

class CentreModel {
 public:
  // Rows: samples with |k| <= R under `points` [shot, sample, dims], of shots at even distances so
  // that there are not too many.
  CentreModel(const CentreSamples& samples, const std::vector<double>& points, int dims);

  // False: too few samples near the centre.
  bool isUsable() const;
  const std::vector<CentreRow>& rows() const { return rows_; }
  Eigen::Index unknowns() const { return unknowns_; }
  int dims() const { return dims_; }
  // Place of a grid point along an axis, in fields of view.
  double place(Eigen::Index point, int axis) const;
  // A of these points: e^{-2πi k·r}. Throws Cancelled.
  Eigen::MatrixXcd matrix(const std::vector<double>& points, const Progress& progress) const;
  // Signal may decay from shot to shot, as from hyperpolarized gas: shot n of N is multiplied by
  // e^{decay (n/(N-1) - 1/2)}.
  // A coil's samples at the rows, divided by this factor.
  Eigen::VectorXcd values(std::size_t coil, double decay) const;
  // The derivative of the modelled samples A x by a further decay, at 0.
  Eigen::VectorXcd decayColumn(Eigen::VectorXcd modelled) const;
  // The energy that differs between shots, |values - mean over shots at the same sample|²: what a
  // trajectory has to explain, as samples that are equal in all shots fit any.
  double energyBetweenShots(const Eigen::VectorXcd& values) const;
  // The Cholesky factor of AᴴA + damping.
  static Eigen::LLT<Eigen::MatrixXcd> factor(const Eigen::MatrixXcd& a);

 private:
  double shotPlace(std::size_t row) const;

  const CentreSamples& samples_;
  int dims_, pixels_;
  Eigen::Index unknowns_;
  std::vector<CentreRow> rows_;
};

}  // namespace spokelab
