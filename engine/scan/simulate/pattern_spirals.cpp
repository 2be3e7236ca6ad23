// Archimedean spirals from the centre outwards at constant speed, in a plane or stacked along kz
// ([multicore-nufft] II.C): r = (N/2) x / (2 pi turns), interleaves turned by 2 pi / shots.
// Area of a sample: the points of all interleaves at one index lie on a circle, so that interleaf
// and index are coordinates of the disc: r dr times 2 pi / shots, the cell reaching half way to the
// indices before and after.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/scan/simulate/patterns.h"

namespace spokelab::patterns {
namespace {

using std::numbers::pi;
// Interleaves at R = 1, where their number is left open.
constexpr double fullySampledInterleaves = 16;

struct Spiral {
  double n = 0, turns = 1, shots = 1, samples = 1, planes = 1;
};

Spiral spiralOf(const TrajectoryOptions& o) {
  Spiral s;
  s.n = double(std::max(o.matrix[0], o.matrix[1]));
  s.shots = o.shots > 0 ? double(o.shots) : std::ceil(fullySampledInterleaves / o.acceleration);
  const double arms = o.shots > 0 ? double(o.shots) : fullySampledInterleaves;
  s.turns = o.spiralTurns > 0 ? o.spiralTurns : std::max(1.0, std::round(s.n / (2 * arms)));
  s.samples =
      o.samplesPerShot > 0 ? o.samplesPerShot : std::ceil(spiralLength(s.n, s.turns, 1, 2 * pi * s.turns));
  s.planes = o.pattern == Pattern::stackOfSpirals ? double(o.matrix[2]) : 1;
  return s;
}

}  // namespace

double spiralLength(double n, double turns, double s, double x) {
  const double y = s * x;
  return n / (4 * pi * turns) / s * 0.5 * (y * std::sqrt(1 + y * y) + std::asinh(y));
}

double spiralAngle(double n, double turns, double s, double length) {
  const double end = 2 * pi * turns;
  double x = end * std::sqrt(std::max(0.0, length) / spiralLength(n, turns, s, end));
  // The length is convex in x: from above, a few steps reach the last bit.
  constexpr int newtonSteps = 30;
  for (int step = 0; step < newtonSteps; ++step) {
    const double speed = n / (4 * pi * turns) * std::sqrt(1 + s * s * x * x);
    const double dx = (length - spiralLength(n, turns, s, x)) / speed;
    x += dx;
    if (std::abs(dx) < 4 * std::numeric_limits<double>::epsilon() * end) break;
  }
  return x;
}

Counts countSpirals(const TrajectoryOptions& o) {
  const Spiral s = spiralOf(o);
  return {s.shots * s.planes, s.samples, s.shots * s.planes * s.samples};
}

void buildSpirals(const TrajectoryOptions& o, Trajectory& t) {
  const Spiral spiral = spiralOf(o);
  const double nx = double(o.matrix[0]), ny = double(o.matrix[1]), end = 2 * pi * spiral.turns;
  const double step = spiralLength(spiral.n, spiral.turns, 1, end) / spiral.samples;
  const auto samples = std::size_t(spiral.samples);
  std::vector<double> angles(samples), areas(samples);
  double inner = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    angles[i] = spiralAngle(spiral.n, spiral.turns, 1, step * double(i));
    const double outer = 0.5 * spiralAngle(spiral.n, spiral.turns, 1, step * (double(i) + 0.5)) / end;
    areas[i] = nx * ny * (outer * outer - inner * inner) / 2 * 2 * pi / spiral.shots;
    inner = outer;
  }
  for (std::int64_t z = 0; z < std::int64_t(spiral.planes); ++z)
    for (double s = 0; s < spiral.shots; ++s) {
      const double turn = 2 * pi * s / spiral.shots + o.planeTurn * double(z);
      for (std::size_t i = 0; i < samples; ++i) {
        const double r = 0.5 * angles[i] / end, phi = angles[i] + turn;
        t.points.push_back(nx * r * std::cos(phi));
        t.points.push_back(ny * r * std::sin(phi));
        if (t.dims == 3) t.points.push_back(double(z - o.matrix[2] / 2));
        t.weights.push_back(areas[i]);
      }
      t.shotOffsets.push_back(t.shotOffsets.back() + std::int64_t(samples));
    }
}

}  // namespace spokelab::patterns
