#include "engine/scan/read/correct/fit_delays.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/scan/read/named/centre_model.h"

namespace spokelab {
namespace {

using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;

constexpr double derivativeStep = 0.05;  // samples
constexpr double maxStep = 1;            // samples that an iteration may move a delay
constexpr int maxIterations = 12;

// Delays in samples, positive: the gradient acts late. Points k in cycles/FOV. Index j numbers the
// samples of a shot, i the rows of the model (centre_model.h), d the axes.

// dk/dτ of each row by a central difference. A delay makes k smaller if the gradient is positive.
Eigen::VectorXd slopes(const CentreModel& model, const std::vector<double>& earlier,
                       const std::vector<double>& later, std::int64_t samples, int axis) {
  Eigen::VectorXd v(Eigen::Index(model.rows().size()));
  for (std::size_t i = 0; i < model.rows().size(); ++i) {
    const auto at =
        std::size_t((model.rows()[i].shot * samples + model.rows()[i].sample) * model.dims() + axis);
    v[Eigen::Index(i)] = (later[at] - earlier[at]) / (2 * derivativeStep);
  }
  return v;
}

// (∂A/∂τ) x for a delay along the axis: ∂A/∂k, -2πi r e^{-2πi k·r}, times dk/dτ.
Vector derivative(const CentreModel& model, const Matrix& a, const Vector& x, const Eigen::VectorXd& slope,
                  int axis) {
  Vector moved(x.size());
  for (Eigen::Index p = 0; p < x.size(); ++p)
    moved[p] = cdouble(0, -2 * std::numbers::pi) * model.place(p, axis) * x[p];
  return slope.cast<cdouble>().cwiseProduct(a * moved);
}

}  // namespace

std::vector<double> delayedPoints(const std::vector<double>& points, std::int64_t shots, std::int64_t samples,
                                  int dims, const Vec3& delays) {
  std::vector<double> out(points.size());
  for (std::int64_t n = 0; n < shots; ++n)
    for (int d = 0; d < dims; ++d) {
      // Beyond an end the last gradient continues.
      const auto at = [&](std::int64_t j) {
        const auto value = [&](std::int64_t m) { return points[std::size_t((n * samples + m) * dims + d)]; };
        if (samples == 1) return value(0);
        if (j < 0) return value(0) + double(j) * (value(1) - value(0));
        if (j >= samples)
          return value(samples - 1) + double(j - samples + 1) * (value(samples - 1) - value(samples - 2));
        return value(j);
      };
      for (std::int64_t j = 0; j < samples; ++j) {
        const double place = double(j) - delays[std::size_t(d)];
        const auto i = std::int64_t(std::floor(place));
        const double t = place - double(i), a = at(i - 1), b = at(i), c = at(i + 1), e = at(i + 2);
        // Catmull-Rom.
        out[std::size_t((n * samples + j) * dims + d)] =
            b + t * ((c - a) / 2 + t * (a - 2.5 * b + 2 * c - e / 2 + t * ((e - a) / 2 + 1.5 * (b - c))));
      }
    }
  return out;
}

// Gauss-Newton steps of variable projection (Golub, Pereyra 1973). Unknowns: one delay, or one an
// axis, in samples, and the signal's decay from shot to shot. The image x is eliminated: for each
// coil (AᴴA + damping) x = Aᴴ b, and the Jacobian is projected onto the samples that no
// image explains.
DelayFit fitDelays(const CentreSamples& s, const std::vector<double>& points, int dims, DelayModel kind,
                   const Progress& progress) {
  const CentreModel model(s, points, dims);
  DelayFit fit;
  if (!model.isUsable()) return fit;
  fit.used = std::int64_t(model.rows().size());
  const auto pointsWithDelaysPlus = [&](double offset) {
    Vec3 delays = fit.delays;
    for (double& v : delays) v += offset;
    return delayedPoints(points, s.shots, s.samples, dims, delays);
  };
  // The last unknown is the decay.
  const Eigen::Index delayCount = kind == DelayModel::common ? 1 : dims, unknowns = delayCount + 1;
  double decay = 0;
  for (int iteration = 0; iteration <= maxIterations; ++iteration) {
    progress.report(double(iteration) / maxIterations, "Fitting gradient delays");
    const Matrix a = model.matrix(pointsWithDelaysPlus(0), progress);
    const auto factor = CentreModel::factor(a);
    const std::vector<double> earlier = pointsWithDelaysPlus(-derivativeStep),
                              later = pointsWithDelaysPlus(derivativeStep);
    std::vector<Eigen::VectorXd> slope;
    for (int d = 0; d < dims; ++d) slope.push_back(slopes(model, earlier, later, s.samples, d));
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(unknowns, unknowns);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns);
    double residualEnergy = 0, signalEnergy = 0;
    for (std::size_t c = 0; c < s.coils.size(); ++c) {
      const Vector b = model.values(c, decay);
      signalEnergy += model.energyBetweenShots(b);
      const Vector x = factor.solve(a.adjoint() * b);
      const Vector rest = b - a * x;
      residualEnergy += rest.squaredNorm();
      Matrix jacobian = Matrix::Zero(a.rows(), unknowns);
      for (int d = 0; d < dims; ++d)
        jacobian.col(kind == DelayModel::common ? 0 : d) += derivative(model, a, x, slope[std::size_t(d)], d);
      jacobian.col(delayCount) = model.decayColumn(a * x);
      // Take away the part of each column that a change of the image explains as well.
      jacobian -= a * factor.solve(a.adjoint() * jacobian);
      normal += (jacobian.adjoint() * jacobian).real();
      right += (jacobian.adjoint() * rest).real();
    }
    fit.after = signalEnergy > 0 ? std::sqrt(residualEnergy / signalEnergy) : 1;
    if (iteration == 0) fit.before = fit.after;
    if (iteration == maxIterations) break;
    const Eigen::VectorXd step = normal.ldlt().solve(right);
    if (!step.allFinite()) break;
    for (int d = 0; d < dims; ++d)
      fit.delays[std::size_t(d)] += std::clamp(step[kind == DelayModel::common ? 0 : d], -maxStep, maxStep);
    decay += step[delayCount];
    constexpr double settled = 1e-4;  // samples
    if (step.head(delayCount).cwiseAbs().maxCoeff() < settled) break;
  }
  return fit;
}

std::vector<double> fitShotDelays(const CentreSamples& s, const std::vector<double>& points, int dims,
                                  const Progress& progress) {
  const CentreModel model(s, points, dims);
  std::vector<double> delays(std::size_t(s.shots), 0);
  if (!model.isUsable()) return delays;
  std::vector<double> right(delays.size(), 0), normal(delays.size(), 0);
  const auto moved = [&](double by) { return delayedPoints(points, s.shots, s.samples, dims, {by, by, by}); };
  const std::vector<double> earlier = moved(-derivativeStep), later = moved(derivativeStep);
  const Matrix a = model.matrix(points, progress);
  const auto factor = CentreModel::factor(a);
  for (std::size_t c = 0; c < s.coils.size(); ++c) {
    const Vector b = model.values(c, 0), x = factor.solve(a.adjoint() * b), rest = b - a * x;
    Vector jacobian = Vector::Zero(a.rows());  // of a row by its shot's delay
    for (int d = 0; d < dims; ++d)
      jacobian += derivative(model, a, x, slopes(model, earlier, later, s.samples, d), d);
    for (std::size_t i = 0; i < model.rows().size(); ++i) {
      const auto shot = std::size_t(model.rows()[i].shot);
      right[shot] += (std::conj(jacobian[Eigen::Index(i)]) * rest[Eigen::Index(i)]).real();
      normal[shot] += std::norm(jacobian[Eigen::Index(i)]);
    }
  }
  for (std::size_t n = 0; n < delays.size(); ++n)
    if (normal[n] > 0) delays[n] = std::clamp(right[n] / normal[n], -maxStep, maxStep);
  return delays;
}

}  // namespace spokelab
