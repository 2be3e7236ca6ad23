#include "engine/recon/job/noise_accuracy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/parallel_sum.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double errorPerNoise = 0.1;
constexpr double minAccuracy = 1e-6, maxAccuracy = 5e-2;

// Samples at about the same distance from the centre, finely divided in the middle.
std::size_t shellOf(double distance) {
  constexpr double middle = 4, shellsPerCycle = 8;  // cycles per field of view
  if (distance < middle) return std::size_t(distance * shellsPerCycle);
  return std::size_t(middle * shellsPerCycle + distance - middle);
}

// The share of a shell that lies within the box of half sides `half`.
double shareWithin(double distance, double half, int dims) {
  constexpr int directions = 1000;
  if (distance <= half || dims < 2) return 1;
  int inside = 0;
  for (int i = 0; i < directions; ++i) {
    const double z = dims > 2 ? (2 * i + 1.0) / directions - 1 : 0, ring = std::sqrt(1 - z * z),
                 angle = dims > 2 ? std::numbers::pi * (3 - std::sqrt(5.0)) * i
                                  : 2 * std::numbers::pi * i / directions;
    const double largestOffset =
        std::max({std::abs(z), ring * std::abs(std::cos(angle)), ring * std::abs(std::sin(angle))});
    inside += largestOffset * distance <= half ? 1 : 0;
  }
  return double(std::max(inside, 1)) / directions;
}

// w_j of each sample in (cycles/FOV)^dims: the volume of its shell over the samples in it. Shells
// end half way between the mean distances of their samples; axes of a smaller matrix are stretched
// to the largest.
std::vector<double> shellWeights(const Trajectory& t, const Index3& matrix) {
  struct Shell {
    double distances = 0, count = 0, weight = 0;
  };
  const double largest = double(*std::max_element(matrix.begin(), matrix.begin() + t.dims));
  std::vector<std::size_t> shell(std::size_t(t.samples()));
  std::vector<Shell> shells;
  for (std::size_t j = 0; j < shell.size(); ++j) {
    double square = 0;
    for (std::size_t d = 0; d < std::size_t(t.dims); ++d) {
      const double k = t.points[j * std::size_t(t.dims) + d] * largest / double(matrix[d]);
      square += k * k;
    }
    shell[j] = shellOf(std::sqrt(square));
    if (shell[j] >= shells.size()) shells.resize(shell[j] + 1);
    shells[shell[j]].distances += std::sqrt(square);
    ++shells[shell[j]].count;
  }
  std::vector<Shell*> filled;
  for (Shell& s : shells)
    if (s.count > 0) filled.push_back(&s);
  const auto meanOf = [&](std::size_t s) { return filled[s]->distances / filled[s]->count; };
  // A ball of radius 1 has this volume.
  double unit = t.dims == 1 ? 2 : t.dims == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  for (std::size_t d = 0; d < std::size_t(t.dims); ++d) unit *= double(matrix[d]) / largest;
  double inner = 0;
  for (std::size_t s = 0; s < filled.size(); ++s) {
    const double mean = meanOf(s),
                 outer = s + 1 < filled.size() ? (mean + meanOf(s + 1)) / 2 : 2 * mean - inner;
    filled[s]->weight = unit * (std::pow(outer, t.dims) - std::pow(inner, t.dims)) / filled[s]->count *
                        shareWithin(mean, largest / 2, t.dims);
    inner = outer;
  }
  std::vector<double> weights;
  weights.reserve(shell.size());
  for (const std::size_t s : shell) weights.push_back(shells[s].weight);
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
  NoiseAccuracy result;
  result.accuracy = standard;
  const double variance = scan.noise.empty() ? 0 : noiseVariance(scan, coils);
  if (!(variance > 0) || !std::isfinite(variance)) {
    result.reason = "the scan has no noise lines; " + numberText(standard, 2) + " is taken";
    return result;
  }
  const std::vector<double> weights = shellWeights(scan.trajectory(frame), scan.geometry.matrix);
  double sum = 0, squares = 0;
  for (const double w : weights) {
    sum += w;
    squares += w * w;
  }
  const double energy = weightedEnergy(scan, frame, coils, weights);
  const double signal = energy - double(coils.size()) * variance * sum;
  // An image whose signal is below the noise counts as noise alone.
  result.noise = signal > variance * squares ? std::sqrt(variance * squares / signal) : 1;
  if (!std::isfinite(result.noise)) result.noise = 1;
  result.accuracy = oneDigit(std::clamp(errorPerNoise * result.noise, minAccuracy, maxAccuracy));
  result.reason = "noise is " + numberText(100 * result.noise, 2) + " % of the image; " +
                  numberText(result.accuracy, 1) + " suffices";
  return result;
}

}  // namespace spokelab
