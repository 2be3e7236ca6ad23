// The samples near the centre of k-space as exponentials of a coarse grid of points over the field
// of view (self_consistency.h): what the comparison of trajectories and the fit of delays share.
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
  // Signal may decay from shot to shot, as from hyperpolarized gas: e^{decay (n/(N-1) -
  // 1/2)}. The rows' samples of a coil without it, and its derivative for modelled samples.
  Eigen::VectorXcd values(std::size_t coil, double decay) const;
  Eigen::VectorXcd decayColumn(Eigen::VectorXcd modelled) const;
  // |values - mean over shots at the same sample|²: what directions have to explain.
  double spread(const Eigen::VectorXcd& values) const;
  // (AᴴA + damping)
  static Eigen::LLT<Eigen::MatrixXcd> factor(const Eigen::MatrixXcd& a);

 private:
  double shotPlace(std::size_t row) const;

  const CentreSamples& samples_;
  int dims_, pixels_;
  Eigen::Index unknowns_;
  std::vector<CentreRow> rows_;
};

}  // namespace spokelab
