// Cones ([gnufftw] V; after Gurney, Hargreaves, Nishimura, MRM 55:575, 2006): spirals from
// the centre outwards on cones about kz, all of the same length in time. Polar angles lie sqrt(R)
// cycles/FOV apart at the rim, and so do the spirals of one cone, measured across them: a spiral of
// radius (N/2) x / (2 pi turns) on a cone of polar angle theta crosses its circles steeply, so that
//   m = 2 pi (N/2) sin(theta) / sqrt(1 + (2 pi turns sin(theta))^2) / sqrt(R) of them are needed.
// Volume of a sample: r^2 dr/di (the trapezoidal rule along the spiral, which is exact as an
// object's k-space is even in r) times the solid angle of the cone's zone, shared by its spirals.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/scan/simulate/patterns.h"

namespace spokelab::patterns {
namespace {

using std::numbers::pi;
// Pixels of the matrix for each turn of a spiral, where the turns are left open.
constexpr double pixelsPerTurn = 32;

struct Cones {
  double n = 0, turns = 1, count = 2, samples = 1;
  std::vector<double> spirals;  // of each cone

  double polarAngle(double cone) const { return pi * (cone + 0.5) / count; }
};

Cones conesOf(const TrajectoryOptions& o) {
  Cones c;
  c.n = double(*std::max_element(o.matrix.begin(), o.matrix.end()));
  c.turns = o.spiralTurns > 0 ? o.spiralTurns : std::max(1.0, std::round(c.n / pixelsPerTurn));
  const double spacing = std::sqrt(o.acceleration);
  c.count = std::max(2.0, std::ceil(pi * c.n / 2 / spacing));
  double longest = 0;
  for (double i = 0; i < c.count; ++i) {
    const double s = std::sin(c.polarAngle(i));
    c.spirals.push_back(
        std::max(1.0, std::ceil(pi * c.n * s / std::hypot(1.0, 2 * pi * c.turns * s) / spacing)));
    longest = std::max(longest, spiralLength(c.n, c.turns, s, 2 * pi * c.turns));
  }
  c.samples = o.samplesPerShot > 0 ? o.samplesPerShot : std::ceil(longest);
  return c;
}

}  // namespace

Counts countCones(const TrajectoryOptions& o) {
  const Cones c = conesOf(o);
  Counts counts;
  for (double spirals : c.spirals) counts.shots += spirals;
  counts.samples = c.samples;
  counts.total = counts.shots * counts.samples;
  return counts;
}

void buildCones(const TrajectoryOptions& o, Trajectory& t) {
  const Cones c = conesOf(o);
  const double nx = double(o.matrix[0]), ny = double(o.matrix[1]), nz = double(o.matrix[2]);
  const double end = 2 * pi * c.turns;
  const auto samples = std::size_t(c.samples);
  std::vector<double> angles(samples), shells(samples);
  for (std::size_t cone = 0; cone < c.spirals.size(); ++cone) {
    const double theta = c.polarAngle(double(cone)), s = std::sin(theta), spirals = c.spirals[cone];
    const double step = spiralLength(c.n, c.turns, s, end) / c.samples;
    for (std::size_t i = 0; i < samples; ++i) {
      angles[i] = spiralAngle(c.n, c.turns, s, step * double(i));
      const double r = 0.5 * angles[i] / end;
      shells[i] = r * r * step / (c.n * std::hypot(1.0, s * angles[i]));
    }
    const double zone = 2 * pi * (std::cos(theta - pi / c.count / 2) - std::cos(theta + pi / c.count / 2));
    for (double spiral = 0; spiral < spirals; ++spiral) {
      const double turn = 2 * pi * spiral / spirals + goldenAngle * double(cone);
      for (std::size_t i = 0; i < samples; ++i) {
        const double r = 0.5 * angles[i] / end, phi = angles[i] + turn;
        t.points.push_back(nx * r * s * std::cos(phi));
        t.points.push_back(ny * r * s * std::sin(phi));
        t.points.push_back(nz * r * std::cos(theta));
        t.weights.push_back(nx * ny * nz * shells[i] * zone / spirals);
      }
      t.shotOffsets.push_back(t.shotOffsets.back() + std::int64_t(samples));
    }
  }
}

}  // namespace spokelab::patterns
