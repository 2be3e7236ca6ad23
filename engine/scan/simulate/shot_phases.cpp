#include "engine/scan/simulate/shot_phases.h"

#include <numbers>

#include "engine/scan/simulate/random_numbers.h"

namespace spokelab {
namespace {

constexpr double twoPi = 2 * std::numbers::pi;

}  // namespace

std::vector<ShotPhase> randomShotPhases(std::int64_t shots, int dims, double peak, unsigned seed) {
  if (peak == 0) return {};
  constexpr std::uint64_t stream = 0x73686f74;  // apart from the noise's numbers
  const std::uint64_t key = (std::uint64_t(seed) << 32) ^ stream, numbersOfShot = 4;
  std::vector<ShotPhase> phases(std::size_t(shots), ShotPhase{});
  for (std::size_t s = 0; s < phases.size(); ++s) {
    const auto symmetric = [&](std::size_t i) { return 2 * uniformNumber(key, numbersOfShot * s + i) - 1; };
    // Half of the peak for the constant; at the FOV's corners the slopes take the other half.
    phases[s].constant = peak / 2 * symmetric(0);
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      phases[s].cycles[d] = peak / (twoPi * dims) * symmetric(1 + d);
  }
  return phases;
}

std::vector<double> movedPoints(const Trajectory& t, const std::vector<ShotPhase>& phases) {
  std::vector<double> points = t.points;
  const auto dims = std::size_t(t.dims);
  for (std::size_t s = 0; s < phases.size(); ++s)
    for (auto j = std::size_t(t.shotOffsets[s]); j < std::size_t(t.shotOffsets[s + 1]); ++j)
      for (std::size_t d = 0; d < dims; ++d) points[j * dims + d] -= phases[s].cycles[d];
  return points;
}

void turnShots(const Trajectory& t, const std::vector<ShotPhase>& phases, Buffer<cfloat>& samples) {
  const auto perCoil = std::size_t(t.samples());
  for (std::size_t first = 0; first < samples.size(); first += perCoil)
    for (std::size_t s = 0; s < phases.size(); ++s) {
      const cfloat turn(std::polar(1.0, phases[s].constant));
      for (auto j = std::size_t(t.shotOffsets[s]); j < std::size_t(t.shotOffsets[s + 1]); ++j)
        samples[first + j] *= turn;
    }
}

NamedArray phaseMaps(const std::vector<ShotPhase>& phases, const Index3& matrix) {
  NamedArray maps{"PhaseMaps", {std::int64_t(phases.size()), matrix[2], matrix[1], matrix[0]}, {}, false};
  maps.values.reserve(phases.size() * std::size_t(product(matrix)));
  const auto at = [&](std::size_t d, std::int64_t n) {
    return double(n - matrix[d] / 2) / double(matrix[d]);
  };
  for (const ShotPhase& phase : phases)
    for (std::int64_t z = 0; z < matrix[2]; ++z)
      for (std::int64_t y = 0; y < matrix[1]; ++y)
        for (std::int64_t x = 0; x < matrix[0]; ++x) {
          const double cycles =
              phase.cycles[0] * at(0, x) + phase.cycles[1] * at(1, y) + phase.cycles[2] * at(2, z);
          maps.values.push_back(cfloat(float(phase.constant + twoPi * cycles)));
        }
  return maps;
}

}  // namespace spokelab
