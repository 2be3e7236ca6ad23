#include "engine/scan/read/named/centre_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace spokelab {
namespace {

// Largest |k| that counts and pixels an axis of the grid: about twice the number that |k| needs.
struct Region {
  double radius;
  int pixels;
};

Region regionOf(int dims) {
  return dims == 2 ? Region{3, 8} : Region{2, 6};
}

// Samples inside the region, of shots at even distances so that there are not too many.
std::vector<CentreRow> rowsInside(const CentreSamples& s, const std::vector<double>& points, int dims,
                                  double radius) {
  constexpr std::int64_t maxSamples = 2500;
  const auto isInside = [&](std::int64_t shot, std::int64_t sample) {
    double square = 0;
    for (int d = 0; d < dims; ++d)
      square += std::pow(points[std::size_t((shot * s.samples + sample) * dims + d)], 2);
    return square <= radius * radius;
  };
  std::int64_t all = 0;
  for (std::int64_t n = 0; n < s.shots; ++n)
    for (std::int64_t j = 0; j < s.samples; ++j) all += isInside(n, j);
  const double part = std::min(1.0, double(maxSamples) / double(std::max<std::int64_t>(all, 1)));
  std::vector<CentreRow> rows;
  for (std::int64_t n = 0; n < s.shots; ++n) {
    if (std::floor(double(n + 1) * part) == std::floor(double(n) * part)) continue;
    for (std::int64_t j = 0; j < s.samples; ++j)
      if (isInside(n, j)) rows.push_back({n, j});
  }
  return rows;
}

}  // namespace

CentreModel::CentreModel(const CentreSamples& samples, const std::vector<double>& points, int dims)
    : samples_(samples),
      dims_(dims),
      pixels_(regionOf(dims).pixels),
      unknowns_(Eigen::Index(std::pow(pixels_, dims))),
      rows_(rowsInside(samples, points, dims, regionOf(dims).radius)) {
}

bool CentreModel::isUsable() const {
  constexpr Eigen::Index minRowsPerUnknown = 2;
  return Eigen::Index(rows_.size()) >= minRowsPerUnknown * unknowns_ && !samples_.coils.empty();
}

double CentreModel::place(Eigen::Index point, int axis) const {
  for (int d = 0; d < axis; ++d) point /= pixels_;
  return (double(point % pixels_) + 0.5) / pixels_ - 0.5;
}

Eigen::MatrixXcd CentreModel::matrix(const std::vector<double>& points, const Progress& progress) const {
  Eigen::MatrixXcd a(Eigen::Index(rows_.size()), unknowns_);
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    if (i % 64 == 0) progress.checkpoint();
    const CentreRow& row = rows_[std::size_t(i)];
    const double* const k = points.data() + (row.shot * samples_.samples + row.sample) * dims_;
    for (Eigen::Index p = 0; p < unknowns_; ++p) {
      double turns = 0;
      for (int d = 0; d < dims_; ++d) turns += k[d] * place(p, d);
      a(i, p) = std::polar(1.0, -2 * std::numbers::pi * turns);
    }
  }
  return a;
}

double CentreModel::shotPlace(std::size_t row) const {
  return double(rows_[row].shot) / double(std::max<std::int64_t>(samples_.shots - 1, 1)) - 0.5;
}

Eigen::VectorXcd CentreModel::values(std::size_t coil, double decay) const {
  Eigen::VectorXcd b(Eigen::Index(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    b[Eigen::Index(i)] =
        std::exp(-decay * shotPlace(i)) * cdouble(samples_.at(coil, rows_[i].shot, rows_[i].sample));
  return b;
}

Eigen::VectorXcd CentreModel::decayColumn(Eigen::VectorXcd modelled) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) modelled[Eigen::Index(i)] *= shotPlace(i);
  return modelled;
}

double CentreModel::energyBetweenShots(const Eigen::VectorXcd& values) const {
  std::map<std::int64_t, std::pair<cdouble, int>> means;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    auto& [sum, count] = means[rows_[i].sample];
    sum += values[Eigen::Index(i)];
    ++count;
  }
  double total = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& [sum, count] = means[rows_[i].sample];
    total += std::norm(values[Eigen::Index(i)] - sum / double(count));
  }
  return total;
}

Eigen::LLT<Eigen::MatrixXcd> CentreModel::factor(const Eigen::MatrixXcd& a) {
  constexpr double damping = 1e-4;  // of the diagonal
  Eigen::MatrixXcd gram = Eigen::MatrixXcd::Zero(a.cols(), a.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(a.adjoint());
  gram.diagonal().array() += damping * double(a.rows());
  return Eigen::LLT<Eigen::MatrixXcd>(gram);
}

}  // namespace spokelab
