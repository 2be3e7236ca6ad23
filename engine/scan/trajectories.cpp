// Sampling patterns in cycles/FOV. Counts at acceleration R: design section 4, "Patterns at acceleration R".
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/scan/generate.h"
#include "engine/scan/memory_check.h"
#include "engine/scan/random_numbers.h"

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double goldenAngle = pi * 0.6180339887498949;  // pi (sqrt(5) - 1) / 2: 111.246 degrees
constexpr double starsTurn = 0.37;                       // radians from one plane of stars to the next
constexpr int spiralShots = 16;                          // interleaves of a fully sampled spiral

const char* const problem = "Cannot generate the trajectory";

struct Counts {
  std::int64_t shots, samples;  // samples per shot
  std::int64_t total;           // the last shot of a random pattern may be shorter
};

bool isThreeDimensional(const TrajectoryOptions& o) {
  switch (o.pattern) {
    case Pattern::radial3d:
    case Pattern::goldenRadial3d:
    case Pattern::stackOfStars:
      return true;
    case Pattern::random:
      return o.matrix[2] > 1;
    default:
      return false;
  }
}

void check(const TrajectoryOptions& o) {
  constexpr std::int64_t largestMatrix = 65535;  // what an ISMRMRD header can hold
  for (std::int64_t n : o.matrix)
    if (n < 1 || n > largestMatrix)
      throw Error(problem, "a matrix of " + std::to_string(n) + " is not possible", "Use 1 to 65535");
  if (!(o.acceleration > 0) || !std::isfinite(o.acceleration))
    throw Error(problem, "the acceleration must be positive", "Use 1 for full sampling");
  if (o.shots < 0 || o.samplesPerShot < 0 || o.spiralTurns < 0)
    throw Error(problem, "a count is negative", "Use 0 for the default");
  if (!(o.dwellSeconds >= 0) || !std::isfinite(o.dwellSeconds))
    throw Error(problem, "the dwell time must not be negative", "");
  const bool volume = isThreeDimensional(o);
  if (volume && o.matrix[2] < 2)
    throw Error(problem, "this pattern is 3-D, the matrix is 2-D", "Give three sizes, for example 64x64x64");
  if (!volume && o.matrix[2] != 1)
    throw Error(problem, "this pattern is 2-D, the matrix is 3-D", "Give two sizes, for example 128x128");
  if (std::min(o.matrix[0], o.matrix[1]) < 2)
    throw Error(problem, "the matrix is too small", "Use at least 2x2");
}

int turnsOf(const TrajectoryOptions& o, double n) {
  if (o.spiralTurns > 0) return o.spiralTurns;
  const int shots = o.shots > 0 ? o.shots : spiralShots;
  return std::max(1, int(std::lround(n / (2.0 * shots))));
}

// Length of r = (n/2) x / (2 pi turns), x = angle, from 0 to x.
double spiralLength(double n, double turns, double x) {
  return n / (4 * pi * turns) * 0.5 * (x * std::sqrt(1 + x * x) + std::asinh(x));
}

Counts countsOf(const TrajectoryOptions& o) {
  const double n = double(std::max({o.matrix[0], o.matrix[1], isThreeDimensional(o) ? o.matrix[2] : 1}));
  const double inPlane = double(std::max(o.matrix[0], o.matrix[1]));
  double shots = 0, samples = n;
  switch (o.pattern) {
    case Pattern::radial2d:
    case Pattern::goldenRadial2d:
      shots = std::ceil(pi * n / (2 * o.acceleration));
      break;
    case Pattern::radial3d:
    case Pattern::goldenRadial3d:
      shots = std::ceil(pi * n * n / (2 * o.acceleration));
      break;
    case Pattern::stackOfStars:
      samples = inPlane;
      shots = double(o.matrix[2]) *
              (o.shots > 0 ? double(o.shots) : std::ceil(pi * inPlane / (2 * o.acceleration)));
      break;
    case Pattern::spiral2d: {
      shots = std::ceil(spiralShots / o.acceleration);
      const double turns = turnsOf(o, n);
      samples = std::ceil(spiralLength(n, turns, 2 * pi * turns));
      break;
    }
    case Pattern::random: {
      const double total = std::ceil(double(product(o.matrix)) / o.acceleration);
      samples = std::min(n, total);
      if (o.shots > 0) samples = std::ceil(total / o.shots);
      if (o.samplesPerShot > 0) samples = o.samplesPerShot;
      shots = std::ceil(total / samples);
      break;
    }
  }
  if (o.shots > 0 && o.pattern != Pattern::stackOfStars) shots = o.shots;
  if (o.samplesPerShot > 0) samples = o.samplesPerShot;
  requireMemory(shots * samples * 5 * sizeof(double), problem, "it",
                "Use a smaller matrix or more acceleration");
  Counts counts{std::int64_t(shots), std::int64_t(samples), std::int64_t(shots * samples)};
  const bool countGiven = o.shots > 0 && o.samplesPerShot > 0;
  if (o.pattern == Pattern::random && !countGiven)
    counts.total =
        std::min(counts.total, std::int64_t(std::ceil(double(product(o.matrix)) / o.acceleration)));
  return counts;
}

// Position along a full diameter, in (-1/2, 1/2): sample floor(S/2) is the centre, as in an FFT.
double alongDiameter(std::int64_t i, std::int64_t samples) {
  return double(i - samples / 2) / double(samples);
}

// Share of the full turn pi that each line at angle (modulo pi) stands for: half the gaps to its neighbours.
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

// Lines through the centre of one plane. Area of a sample: r dr times the line's share of the turn; a quarter
// of dr^2 at the centre (a disc of diameter dr, shared).
void appendStar(const TrajectoryOptions& o, const std::vector<double>& angles, std::int64_t samples,
                double kz, Trajectory& t) {
  const double nx = double(o.matrix[0]), ny = double(o.matrix[1]);
  const std::vector<double> shares = angularShares(angles);
  const double dr = 1 / double(samples);
  for (std::size_t s = 0; s < angles.size(); ++s)
    for (std::int64_t i = 0; i < samples; ++i) {
      const double r = alongDiameter(i, samples);
      t.points.push_back(nx * r * std::cos(angles[s]));
      t.points.push_back(ny * r * std::sin(angles[s]));
      if (t.dims == 3) t.points.push_back(kz);
      const double area = i == samples / 2 ? dr * dr / 4 : std::abs(r) * dr;
      t.weights.push_back(nx * ny * area * shares[s]);
    }
}

// Direction of diameter s on the upper half sphere.
// Linear: equal steps in z, azimuth of a spiral whose turns are as far apart as its points (Wong, Roos, MRM
// 1994). Golden: the two-dimensional golden means (Chan et al., MRM 2009); any consecutive part covers the
// sphere evenly.
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

// Volume of a sample: 4 pi r^2 dr of the spherical shell around radius r, shared by the 2 x diameters samples on
// it: the trapezoidal rule, as in engine/recon/radial_weights.cpp, which says why.
void radialVolume(const TrajectoryOptions& o, const Counts& c, Trajectory& t) {
  const double n[3] = {double(o.matrix[0]), double(o.matrix[1]), double(o.matrix[2])};
  const double dr = 1 / double(c.samples), volume = n[0] * n[1] * n[2];
  for (std::int64_t s = 0; s < c.shots; ++s) {
    const Vec3 u = sphereDirection(o, s, c.shots);
    for (std::int64_t i = 0; i < c.samples; ++i) {
      const double r = alongDiameter(i, c.samples);
      for (std::size_t d = 0; d < 3; ++d) t.points.push_back(n[d] * r * u[d]);
      t.weights.push_back(volume * 2 * pi * r * r * dr / double(c.shots));
    }
  }
}

// Archimedean spirals from the centre outwards at constant speed; interleaves turned by 2 pi / shots.
void spiralPlane(const TrajectoryOptions& o, const Counts& c, Trajectory& t) {
  const double n = double(std::max(o.matrix[0], o.matrix[1]));
  const double turns = turnsOf(o, n), end = 2 * pi * turns;
  std::vector<double> angle(static_cast<std::size_t>(c.samples));
  const double length = spiralLength(n, turns, end);
  for (std::int64_t i = 0; i < c.samples; ++i) {
    const double target = length * double(i) / double(c.samples);
    double x = i == 0 ? 0 : angle[std::size_t(i - 1)];
    constexpr int newtonSteps = 20;  // the length is convex in x: a few steps reach the last bit
    for (int step = 0; step < newtonSteps; ++step) {
      const double speed = n / (4 * pi * turns) * std::sqrt(1 + x * x);
      const double dx = (target - spiralLength(n, turns, x)) / speed;
      x += dx;
      if (std::abs(dx) < 4 * std::numeric_limits<double>::epsilon() * end) break;
    }
    angle[std::size_t(i)] = x;
  }
  for (std::int64_t s = 0; s < c.shots; ++s)
    for (double x : angle) {
      const double r = 0.5 * x / end, phi = x + 2 * pi * double(s) / double(c.shots);
      t.points.push_back(double(o.matrix[0]) * r * std::cos(phi));
      t.points.push_back(double(o.matrix[1]) * r * std::sin(phi));
    }
}

void randomPoints(const TrajectoryOptions& o, const Counts& c, Trajectory& t) {
  const std::int64_t values = c.total * t.dims;
  for (std::int64_t i = 0; i < values; ++i)
    t.points.push_back((uniformNumber(o.seed, std::uint64_t(i)) - 0.5) *
                       double(o.matrix[std::size_t(i % t.dims)]));
}

}  // namespace

const std::vector<std::pair<std::string, Pattern>>& patternNames() {
  static const std::vector<std::pair<std::string, Pattern>> names = {
      {"radial", Pattern::radial2d},
      {"golden-radial", Pattern::goldenRadial2d},
      {"radial3d", Pattern::radial3d},
      {"golden-radial3d", Pattern::goldenRadial3d},
      {"stack-of-stars", Pattern::stackOfStars},
      {"spiral", Pattern::spiral2d},
      {"random", Pattern::random}};
  return names;
}

Trajectory generateTrajectory(const TrajectoryOptions& o) {
  check(o);
  const Counts c = countsOf(o);
  Trajectory t;
  t.dims = isThreeDimensional(o) ? 3 : 2;
  const auto total = std::size_t(c.total);
  t.points.reserve(total * std::size_t(t.dims));
  switch (o.pattern) {
    case Pattern::radial2d:
    case Pattern::goldenRadial2d:
      appendStar(o, lineAngles(o, c.shots, 0), c.samples, 0, t);
      break;
    case Pattern::stackOfStars:
      for (std::int64_t z = 0; z < o.matrix[2]; ++z)
        appendStar(o, lineAngles(o, c.shots / o.matrix[2], starsTurn * double(z)), c.samples,
                   double(z - o.matrix[2] / 2), t);
      break;
    case Pattern::radial3d:
    case Pattern::goldenRadial3d:
      radialVolume(o, c, t);
      break;
    case Pattern::spiral2d:
      spiralPlane(o, c, t);
      break;
    case Pattern::random:
      randomPoints(o, c, t);
      break;
  }
  t.times.resize(total);
  for (std::size_t i = 0; i < total; ++i) t.times[i] = double(std::int64_t(i) % c.samples) * o.dwellSeconds;
  t.shotOffsets.resize(std::size_t(c.shots) + 1);
  for (std::size_t s = 0; s < t.shotOffsets.size(); ++s)
    t.shotOffsets[s] = std::min(c.total, std::int64_t(s) * c.samples);
  return t;
}

}  // namespace spokelab
