#include "engine/recon/job/noise_accuracy.h"

#include <algorithm>
#include <cmath>

#include "engine/core/parallel_sum.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::size_t shells = 64;
constexpr double errorPerNoise = 0.1;
constexpr double minAccuracy = 1e-6, maxAccuracy = 5e-2;

// w_j of each sample, up to a factor: the volume of its shell over the samples in it. A distance
// along each axis counts from the matrix' half.
std::vector<double> shellWeights(const Trajectory& t, const Index3& matrix) {
  std::vector<std::size_t> shell(std::size_t(t.samples()));
  std::vector<double> count(shells);
  for (std::size_t j = 0; j < shell.size(); ++j) {
    double square = 0;
    for (int d = 0; d < t.dims; ++d) {
      const double k =
          2 * t.points[j * std::size_t(t.dims) + std::size_t(d)] / double(matrix[std::size_t(d)]);
      square += k * k;
    }
    shell[j] = std::min(shells - 1, std::size_t(std::sqrt(square) * shells));
    ++count[shell[j]];
  }
  std::vector<double> weights;
  weights.reserve(shell.size());
  for (const std::size_t s : shell)
    weights.push_back((std::pow(double(s + 1), t.dims) - std::pow(double(s), t.dims)) / count[s]);
  return weights;
}

double noiseVariance(const Scan& scan, const std::vector<int>& coils) {
  const std::size_t each = scan.noise.size() / std::size_t(scan.coils);
  double sum = 0;
  for (const int c : coils)
    for (std::size_t j = 0; j < each; ++j) sum += double(std::norm(scan.noise[std::size_t(c) * each + j]));
  return each > 0 ? sum / double(each * coils.size()) : 0;
}

// Down to one digit: 0.0067 -> 0.006.
double oneDigit(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)));
  return std::floor(value / unit * (1 + 1e-9)) * unit;
}

double weightedEnergy(const Scan& scan, int frame, const std::vector<int>& coils,
                      const std::vector<double>& weights) {
  double energy = 0;
  for (const int c : coils)
    std::visit(
        [&](const auto* y) {
          energy += sumOver<double>(std::int64_t(weights.size()), 0, [&](std::int64_t j) {
            return weights[std::size_t(j)] * double(std::norm(y[j]));
          });
        },
        scan.values<float>(frame, scan.slices / 2, c));
  return energy;
}

}  // namespace

NoiseAccuracy accuracyByNoise(const Scan& scan, int frame, const std::vector<int>& coils, double standard) {
  NoiseAccuracy found;
  found.accuracy = standard;
  const double variance = scan.noise.empty() ? 0 : noiseVariance(scan, coils);
  if (!(variance > 0) || !std::isfinite(variance)) {
    found.reason = "the scan has no noise lines; " + numberText(standard, 2) + " is taken";
    return found;
  }
  const std::vector<double> weights = shellWeights(scan.trajectory(frame), scan.geometry.matrix);
  double sum = 0, squares = 0;
  for (const double w : weights) {
    sum += w;
    squares += w * w;
  }
  const double energy = weightedEnergy(scan, frame, coils, weights);
  const double signal = energy - double(coils.size()) * variance * sum;
  // Where noise hides the signal, the image is noise.
  found.noise = signal > variance * squares ? std::sqrt(variance * squares / signal) : 1;
  if (!std::isfinite(found.noise)) found.noise = 1;
  found.accuracy = oneDigit(std::clamp(errorPerNoise * found.noise, minAccuracy, maxAccuracy));
  found.reason = "noise is " + numberText(100 * found.noise, 2) + " % of the image; " +
                 numberText(found.accuracy, 1) + " suffices";
  return found;
}

}  // namespace spokelab
