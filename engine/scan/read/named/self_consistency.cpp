#include "engine/scan/read/named/self_consistency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/scan/read/named/centre_model.h"

namespace spokelab {

CentreSamples strongestCoils(CentreSamples samples, std::size_t maxCoils) {
  std::vector<double> energy(samples.coils.size(), 0);
  for (std::size_t c = 0; c < samples.coils.size(); ++c)
    for (const cfloat& v : samples.coils[c]) energy[c] += std::norm(v);
  std::vector<std::size_t> order(samples.coils.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return energy[a] > energy[b]; });
  CentreSamples strongest{samples.shots, samples.samples, {}};
  for (std::size_t i = 0; i < std::min(maxCoils, order.size()); ++i)
    strongest.coils.push_back(std::move(samples.coils[order[i]]));
  return strongest;
}

std::int64_t centreSample(const CentreSamples& s) {
  std::vector<double> mean(std::size_t(s.samples), 0);
  for (std::size_t c = 0; c < s.coils.size(); ++c)
    for (std::int64_t n = 0; n < s.shots; ++n)
      for (std::int64_t j = 0; j < s.samples; ++j) mean[std::size_t(j)] += std::abs(s.at(c, n, j));
  return std::max_element(mean.begin(), mean.end()) - mean.begin();
}

double energyCentre(const CentreSamples& s) {
  constexpr std::int64_t partOfReadout = 8;
  const std::int64_t peak = centreSample(s);
  const std::int64_t reach = std::min({s.samples / partOfReadout, peak, s.samples - 1 - peak});
  double energy = 0, moment = 0;
  for (std::size_t c = 0; c < s.coils.size(); ++c)
    for (std::int64_t n = 0; n < s.shots; ++n)
      for (std::int64_t j = peak - reach; j <= peak + reach; ++j) {
        const double e = std::norm(s.at(c, n, j));
        energy += e;
        moment += e * double(j);
      }
  return energy > 0 ? moment / energy : double(peak);
}

Consistency selfConsistency(const CentreSamples& s, const std::vector<double>& points, int dims,
                            const Progress& progress) {
  const CentreModel model(s, points, dims);
  if (!model.isUsable()) return {};
  const Eigen::MatrixXcd a = model.matrix(points, progress);
  const Eigen::LLT<Eigen::MatrixXcd> factor = CentreModel::factor(a);
  progress.checkpoint();
  double residual = 0, signalEnergy = 0, decay = 0;
  constexpr int decaySteps = 4;
  for (int step = 0; step <= decaySteps; ++step) {
    double right = 0, normal = 0;
    residual = signalEnergy = 0;
    for (std::size_t c = 0; c < s.coils.size(); ++c) {
      const Eigen::VectorXcd b = model.values(c, decay), fitted = a * factor.solve(a.adjoint() * b);
      const Eigen::VectorXcd rest = b - fitted;
      Eigen::VectorXcd column = model.decayColumn(fitted);
      column -= a * factor.solve(a.adjoint() * column);
      right += column.dot(rest).real();
      normal += column.squaredNorm();
      residual += rest.squaredNorm();
      signalEnergy += model.energyBetweenShots(b);
    }
    if (step < decaySteps && normal > 0) decay += right / normal;
  }
  Consistency result;
  result.used = std::int64_t(model.rows().size());
  result.residual = signalEnergy > 0 ? std::sqrt(residual / signalEnergy) : 1;
  return result;
}

}  // namespace spokelab
