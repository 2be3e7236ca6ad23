#include "engine/profile/study/study_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/simulate/trajectories.h"

namespace spokelab {
namespace {

constexpr const char *random = "random", *clustered = "clustered";
// Side of the cluster in cells of the grid at twice the size: the case "cluster" of [cufinufft] IV.
constexpr double clusterCells = 8;
constexpr double fineGrid = 2;
constexpr unsigned pointsSeed = 1;

// The generators that the papers use, those that are here.
const std::vector<std::string>& generated() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const char* wanted : {"radial3d", "stack-of-stars", "stack-of-spirals", "cones", "gaussian"})
      for (const auto& [name, pattern] : patternNames())
        if (name == wanted) found.push_back(name);
    return found;
  }();
  return names;
}

std::vector<double> generatedPoints(const TrajectoryOptions& options) {
  const Trajectory trajectory = generateTrajectory(options);
  std::vector<double> points(trajectory.points.begin(), trajectory.points.end());
  for (double& k : points) k /= double(options.matrix[0]);  // cycles per field of view -> per pixel
  return points;
}

std::vector<double> uniformBox(int dims, std::int64_t count, double low, double width) {
  requireMemory(double(dims) * double(count) * double(sizeof(double)), "Cannot make the points",
                countText(count, "random point"), "Choose smaller sizes or higher accelerations");
  std::mt19937_64 generator(pointsSeed);
  std::uniform_real_distribution<double> uniform(low, low + width);
  std::vector<double> points(static_cast<std::size_t>(dims * count));
  for (double& k : points) k = uniform(generator);
  return points;
}

}  // namespace

std::vector<std::string> studyPatterns() {
  std::vector<std::string> names = generated();
  names.insert(names.end(), {random, clustered});
  return names;
}

std::vector<double> studyPoints(const std::string& pattern, int size, double acceleration) {
  if (pattern == random || pattern == clustered) return boxPoints(pattern, 3, size, acceleration);
  const auto& names = generated();
  if (std::find(names.begin(), names.end(), pattern) == names.end()) {
    std::string known;
    for (const std::string& name : studyPatterns()) known += (known.empty() ? "" : ", ") + name;
    throw Error("Unknown pattern \"" + pattern + "\"", "it is not one of " + known, "Name some of these");
  }
  TrajectoryOptions options;
  for (const auto& [name, value] : patternNames())
    if (name == pattern) options.pattern = value;
  options.matrix = {size, size, size};
  options.acceleration = acceleration;
  return generatedPoints(options);
}

std::vector<double> interleavedPoints(const std::string& pattern, int size, double acceleration) {
  TrajectoryOptions options;
  options.matrix = {size, size, size};
  const double n = size, rate = 1 / acceleration;
  const auto atLeastOne = [](double count) { return std::max(1, int(std::lround(count))); };
  if (pattern == "radial3d") return readoutPoints(size, atLeastOne(n * n * rate / 2), 2 * size);
  if (pattern == "stack-of-spirals") {
    options.pattern = Pattern::stackOfSpirals;
    options.shots = 1;
    options.samplesPerShot = atLeastOne(n * n * rate);
    // One sample a cycle/FOV along a length of pi N turns / 2.
    options.spiralTurns = atLeastOne(2 * rate * n / std::numbers::pi);
    return generatedPoints(options);
  }
  return studyPoints(pattern, size, acceleration);
}

double interleavedAcceleration(int size) {
  constexpr std::pair<int, double> sets[] = {{128, 0.5}, {320, 0.25}};
  constexpr double usual = 0.75;
  for (const auto& [n, rate] : sets)
    if (n == size) return 1 / rate;
  return 1 / usual;
}

std::vector<double> interleavedAccelerations(int size) {
  constexpr int severalAt = 256;
  constexpr double dense = 1, denser = 1.25;  // SR
  if (size != severalAt) return {interleavedAcceleration(size)};
  return {interleavedAcceleration(size), 1 / dense, 1 / denser};
}

std::vector<double> readoutPoints(int size, int readouts, int samples) {
  TrajectoryOptions options;
  options.matrix = {size, size, size};
  options.pattern = Pattern::radial3d;
  options.samplesPerShot = samples;
  options.shots = readouts;
  return generatedPoints(options);
}

std::vector<double> boxPoints(const std::string& pattern, int dims, int size, double acceleration) {
  const auto count = static_cast<std::int64_t>(std::pow(double(size), dims) / acceleration);
  if (pattern == random) return uniformBox(dims, count, -0.5, 1);
  if (pattern == clustered) return uniformBox(dims, count, -0.5, clusterCells / (fineGrid * size));
  throw Error("This study has no pattern \"" + pattern + "\"",
              std::string("it has ") + random + " and " + clustered, "Name one of these");
}

}  // namespace spokelab
