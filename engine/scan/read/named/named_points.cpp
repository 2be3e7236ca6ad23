#include "engine/scan/read/named/named_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"

namespace spokelab {
namespace {

using std::numbers::pi;
constexpr double degree = pi / 180, golden = 1.6180339887498949, microsecond = 1e-6;

// Angle from one shot to the next in the plane.
double angleStep(const TrajectoryName& name, std::int64_t shots) {
  const double n = double(std::max<std::int64_t>(shots, 1));
  if (name.variant == "golden") return pi / golden;
  if (name.variant == "tiny-golden") return pi / (golden + name.number - 1);
  if (name.variant == "golden-360") return pi * (3 - std::sqrt(5.0));
  if (name.variant == "uniform") return (name.family == "spiral" ? 2 : 1) * pi / n;
  if (name.variant == "uniform-360") return 2 * pi / n;
  if (name.variant == "alternating") return pi / n + pi;
  return name.number * degree;  // step
}

double planeAngle(const TrajectoryName& name, std::int64_t shot, double step) {
  return name.get("start", 0) * degree + name.get("direction", 1) * double(shot) * step;
}

double halton(std::int64_t index, int base) {
  double value = 0, share = 1;
  for (; index > 0; index /= base) {
    share /= base;
    value += share * double(index % base);
  }
  return value;
}

Vec3 direction(double z, double azimuth) {
  const double rho = std::sqrt(std::max(0.0, 1 - z * z));
  return {rho * std::cos(azimuth), rho * std::sin(azimuth), z};
}

// From pole to pole in equal steps of z; steps of the azimuth keep neighbours 3.6 / sqrt(N) apart
// (E. B. Saff, A. B. J. Kuijlaars, Math. Intelligencer 19:5, 1997).
std::vector<Vec3> sphereSpiral(std::int64_t shots) {
  std::vector<Vec3> list;
  double azimuth = 0;
  for (std::int64_t n = 0; n < shots; ++n) {
    const double z = -1 + 2 * double(n) / double(shots);
    if (n > 0) azimuth = std::fmod(azimuth + 3.6 / std::sqrt(double(shots) * (1 - z * z)), 2 * pi);
    list.push_back(direction(z, azimuth));
  }
  return list;
}

// The spiral's directions in the order of the falling Halton sequence of base 2.
std::vector<Vec3> haltonSpiral(std::int64_t shots) {
  const std::vector<Vec3> spiral = sphereSpiral(shots);
  std::vector<std::size_t> order(spiral.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
    return halton(std::int64_t(a) + 1, 2) > halton(std::int64_t(b) + 1, 2);
  });
  std::vector<Vec3> list;
  for (const std::size_t n : order) list.push_back(spiral[n]);
  return list;
}

std::vector<Vec3> sphereDirections(const TrajectoryName& name, std::int64_t shots) {
  if (name.variant == "spiral") return sphereSpiral(shots);
  if (name.variant == "halton-spiral") return haltonSpiral(shots);
  const double n = double(shots);
  std::vector<Vec3> list;
  for (std::int64_t i = 0; i < shots; ++i) {
    const double s = double(i);
    if (name.variant == "golden-means") {
      constexpr double mean1 = 0.4655712318767680, mean2 = 0.6823278038280193;
      list.push_back(direction(2 * std::fmod(s * mean1, 1.0) - 1, 2 * pi * std::fmod(s * mean2, 1.0)));
    } else if (name.variant == "halton") {
      list.push_back(direction(2 * halton(i + 1, 2) - 1, 2 * pi * halton(i + 1, 3)));
    } else if (name.variant == "archimedean") {
      list.push_back(direction(1 - 2 * s / std::max(1.0, n - 1), s * pi * (3 - std::sqrt(5.0))));
    } else {  // phyllotaxis
      const double polar = pi / 2 * std::sqrt(s / n);
      list.push_back(direction(std::cos(polar), s * pi * (3 - std::sqrt(5.0))));
    }
  }
  return list;
}

void spiralPoints(const TrajectoryName& name, const NamedShape& s, double radius, std::vector<double>& out) {
  const double n = double(s.samples), shots = double(s.shots);
  const double turns = name.get("turns", std::max(1.0, std::round(radius / shots)));
  const double power = name.get("density", 1), shift = name.get("shift", 0);
  const double step = angleStep(name, s.shots);
  // Constant speed: an Archimedean spiral's length is a(y sqrt(1 + y^2) + asinh y) / 2 at angle y.
  const double end = 2 * pi * turns;
  const auto length = [](double y) { return (y * std::sqrt(1 + y * y) + std::asinh(y)) / 2; };
  const auto angleAt = [&](double share) {
    double low = 0, high = end;
    constexpr int halvings = 60;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (low + high) / 2;
      (length(middle) < share * length(end) ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  std::vector<double> angles;
  for (std::int64_t j = 0; j < s.samples; ++j)
    angles.push_back(angleAt(std::clamp((double(j) - shift) / n, 0.0, 1.0)));
  for (std::int64_t shot = 0; shot < s.shots; ++shot) {
    const double turn = planeAngle(name, shot, step);
    for (const double angle : angles) {
      const double r = radius * std::pow(angle / end, power);
      const double phi = turn + name.get("direction", 1) * angle;
      out.push_back(r * std::cos(phi));
      out.push_back(r * std::sin(phi));
    }
  }
}

void stackPoints(const TrajectoryName& name, const NamedShape& s, const std::vector<double>& radii,
                 const std::string& problem, std::vector<double>& out) {
  const auto planes = std::int64_t(name.get("partitions", s.partitions));
  if (planes < 1 || s.shots % planes != 0)
    throw Error(problem,
                "its " + std::to_string(s.shots) + " shots cannot be divided among " +
                    std::to_string(planes) + " planes",
                "Give the number of planes: partitions=32");
  const std::int64_t spokes = s.shots / planes;
  const double step = angleStep(name, spokes), turn = name.get("turn", 0) * degree;
  const bool planesFirst = name.get("partitions-first", 1) != 0;
  for (std::int64_t shot = 0; shot < s.shots; ++shot) {
    const std::int64_t plane = planesFirst ? shot % planes : shot / spokes;
    const std::int64_t spoke = planesFirst ? shot / planes : shot % spokes;
    const double angle = planeAngle(name, spoke, step) + turn * double(plane);
    for (const double r : radii) {
      out.push_back(r * std::cos(angle));
      out.push_back(r * std::sin(angle));
      out.push_back(double(plane - planes / 2));
    }
  }
}

double radiusOf(const TrajectoryName& name, const NamedShape& s) {
  const bool fromCentre = name.get("centre-out", name.family == "koosh" ? 1 : 0) != 0;
  const double pixels = s.matrix > 0 ? s.matrix : fromCentre ? 2 * double(s.samples) : double(s.samples);
  return name.get("radius", pixels / 2);
}

}  // namespace

std::vector<double> namedRadii(const TrajectoryName& name, const NamedShape& s, const std::string& problem) {
  const double n = double(s.samples), shift = name.get("shift", 0), radius = radiusOf(name, s);
  const bool fromCentre = name.get("centre-out", name.family == "koosh" ? 1 : 0) != 0;
  const double ramp = name.get("ramp", 0) * microsecond, delay = name.get("delay", 0) * microsecond;
  if ((ramp != 0 || delay != 0) && !(s.dwell > 0))
    throw Error(problem, "the file does not say its dwell time, which ramp and delay need",
                "Give shift in samples instead");
  std::vector<double> radii;
  for (std::int64_t j = 0; j < s.samples; ++j) {
    double at = double(j) - shift - (s.dwell > 0 ? delay / s.dwell : 0);
    if (!fromCentre) {
      radii.push_back((at - double(s.samples / 2)) * 2 * radius / n);
      continue;
    }
    at = std::max(at, 0.0);
    const double rise = s.dwell > 0 ? ramp / s.dwell : 0;
    const double way = at < rise ? at * at / (2 * rise) : at - rise / 2;
    radii.push_back(way * radius / n);
  }
  return radii;
}

std::vector<Vec3> namedDirections(const TrajectoryName& name, std::int64_t shots,
                                  const std::string& problem) {
  if (trajectoryFamily(name.family, problem).dims == 3 && name.family != "stack-of-stars")
    return sphereDirections(name, shots);
  std::vector<Vec3> list;
  const double step = angleStep(name, shots);
  for (std::int64_t n = 0; n < shots; ++n) {
    const double angle = planeAngle(name, n, step);
    list.push_back({std::cos(angle), std::sin(angle), 0});
  }
  return list;
}

std::vector<double> namedPoints(const TrajectoryName& name, const NamedShape& s, const std::string& problem) {
  const int dims = trajectoryFamily(name.family, problem).dims;
  if (s.shots < 1 || s.samples < 1) throw Error(problem, "there are no samples", "Choose another scan");
  requireMemory(double(s.shots) * double(s.samples) * dims * sizeof(double), problem, "its trajectory",
                "Use a machine with more memory");
  std::vector<double> out;
  out.reserve(std::size_t(s.shots * s.samples * dims));
  if (name.family == "spiral") {
    spiralPoints(name, s, radiusOf(name, s), out);
    return out;
  }
  const std::vector<double> radii = namedRadii(name, s, problem);
  if (name.family == "stack-of-stars") {
    stackPoints(name, s, radii, problem, out);
    return out;
  }
  for (const Vec3& u : namedDirections(name, s.shots, problem))
    for (const double r : radii)
      for (std::size_t d = 0; d < std::size_t(dims); ++d) out.push_back(r * u[d]);
  return out;
}

}  // namespace spokelab
