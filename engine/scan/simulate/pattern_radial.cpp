// Lines through the centre: in the plane, over the sphere, stacked along kz.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/scan/simulate/patterns.h"

namespace spokelab::patterns {
namespace {

using std::numbers::pi;

bool overSphere(const TrajectoryOptions& o) {
  return o.pattern == Pattern::radial3d || o.pattern == Pattern::goldenRadial3d;
}

// Position along a full diameter, in (-1/2, 1/2): sample floor(S/2) is the centre, as in an FFT.
double alongDiameter(std::int64_t i, std::int64_t samples) {
  return double(i - samples / 2) / double(samples);
}

// Share of the full turn pi for each line (angles modulo pi): half the gaps to its neighbours.
std::vector<double> angularShares(const std::vector<double>& angles) {
  const std::size_t n = angles.size();
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  const auto folded = [&](std::size_t i) { return angles[i] - pi * std::floor(angles[i] / pi); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return folded(a) < folded(b); });
  std::vector<double> shares(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = order[i], b = order[(i + 1) % n];
    const double gap = i + 1 < n ? folded(b) - folded(a) : pi - folded(a) + folded(b);
    shares[a] += gap / 2;
    shares[b] += gap / 2;
  }
  return shares;
}

std::vector<double> lineAngles(const TrajectoryOptions& o, std::int64_t spokes, double offset) {
  std::vector<double> angles(static_cast<std::size_t>(spokes));
  const double step = o.pattern == Pattern::radial2d ? pi / double(spokes) : goldenAngle;
  for (std::size_t s = 0; s < angles.size(); ++s) angles[s] = double(s) * step + offset;
  return angles;
}

// Lines through the centre of one plane. Area of a sample: r dr times the line's share of the turn;
// a quarter of dr^2 at the centre (a disc of diameter dr, shared).
void appendStar(const TrajectoryOptions& o, const std::vector<double>& angles, std::int64_t samples,
                double kz, Trajectory& t) {
  const double nx = double(o.matrix[0]), ny = double(o.matrix[1]);
  const std::vector<double> shares = angularShares(angles);
  const double dr = 1 / double(samples);
  for (std::size_t s = 0; s < angles.size(); ++s) {
    for (std::int64_t i = 0; i < samples; ++i) {
      const double r = alongDiameter(i, samples);
      t.points.push_back(nx * r * std::cos(angles[s]));
      t.points.push_back(ny * r * std::sin(angles[s]));
      if (t.dims == 3) t.points.push_back(kz);
      const double area = i == samples / 2 ? dr * dr / 4 : std::abs(r) * dr;
      t.weights.push_back(nx * ny * area * shares[s]);
    }
    t.shotOffsets.push_back(t.shotOffsets.back() + samples);
  }
}

// Direction of diameter s on the upper half sphere. Linear: equal steps in z, azimuth of a spiral
// whose turns are as far apart as its points (Wong, Roos, MRM 1994). Golden: the two-dimensional
// golden means (Chan et al., MRM 2009); any consecutive part covers the sphere evenly.
Vec3 sphereDirection(const TrajectoryOptions& o, std::int64_t s, std::int64_t diameters) {
  double z = 0, azimuth = 0;
  if (o.pattern == Pattern::radial3d) {
    z = (double(s) + 0.5) / double(diameters);
    azimuth = std::sqrt(2 * pi * double(diameters)) * std::asin(z);
  } else {
    constexpr double mean1 = 0.4655712318767680, mean2 = 0.6823278038280193;
    z = std::fmod(double(s) * mean1, 1.0);
    azimuth = 2 * pi * std::fmod(double(s) * mean2, 1.0);
  }
  const double rho = std::sqrt(std::max(0.0, 1 - z * z));
  return {rho * std::cos(azimuth), rho * std::sin(azimuth), z};
}

// Volume of a sample: 4 pi r^2 dr of the spherical shell around radius r, shared by the 2 x
// diameters samples on it: the trapezoidal rule, as in engine/recon/density/radial_weights.cpp,
// which says why.
void appendSphere(const TrajectoryOptions& o, std::int64_t shots, std::int64_t samples, Trajectory& t) {
  const double n[3] = {double(o.matrix[0]), double(o.matrix[1]), double(o.matrix[2])};
  const double dr = 1 / double(samples), volume = n[0] * n[1] * n[2];
  for (std::int64_t s = 0; s < shots; ++s) {
    const Vec3 u = sphereDirection(o, s, shots);
    for (std::int64_t i = 0; i < samples; ++i) {
      const double r = alongDiameter(i, samples);
      for (std::size_t d = 0; d < 3; ++d) t.points.push_back(n[d] * r * u[d]);
      t.weights.push_back(volume * 2 * pi * r * r * dr / double(shots));
    }
    t.shotOffsets.push_back(t.shotOffsets.back() + samples);
  }
}

double planesOf(const TrajectoryOptions& o) {
  return o.pattern == Pattern::stackOfStars ? double(o.matrix[2]) : 1;
}

}  // namespace

Counts countRadial(const TrajectoryOptions& o) {
  const double inPlane = double(std::max(o.matrix[0], o.matrix[1]));
  const double n = overSphere(o) ? std::max(inPlane, double(o.matrix[2])) : inPlane;
  const double full = overSphere(o) ? pi * n * n / 2 : pi * n / 2;
  Counts c;
  c.shots = planesOf(o) * (o.shots > 0 ? double(o.shots) : std::ceil(full / o.acceleration));
  c.samples = o.samplesPerShot > 0 ? o.samplesPerShot : n;
  c.total = c.shots * c.samples;
  return c;
}

void buildRadial(const TrajectoryOptions& o, Trajectory& t) {
  const Counts c = countRadial(o);
  const auto samples = std::int64_t(c.samples);
  if (overSphere(o)) {
    appendSphere(o, std::int64_t(c.shots), samples, t);
    return;
  }
  const auto spokes = std::int64_t(c.shots / planesOf(o));
  for (std::int64_t z = 0; z < std::int64_t(planesOf(o)); ++z)
    appendStar(o, lineAngles(o, spokes, o.planeTurn * double(z)), samples, double(z - o.matrix[2] / 2), t);
}

}  // namespace spokelab::patterns
