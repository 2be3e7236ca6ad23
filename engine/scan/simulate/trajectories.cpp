#include "engine/scan/simulate/trajectories.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/simulate/patterns.h"

namespace spokelab {
namespace {

using namespace patterns;

const char* const problem = "Cannot generate the trajectory";

bool isVolume(Pattern pattern) {
  switch (pattern) {
    case Pattern::radial3d:
    case Pattern::goldenRadial3d:
    case Pattern::stackOfStars:
    case Pattern::stackOfSpirals:
    case Pattern::cones:
      return true;
    default:
      return false;
  }
}

bool isScattered(Pattern pattern) {
  return pattern == Pattern::random || pattern == Pattern::gaussian || pattern == Pattern::clustered ||
         pattern == Pattern::jittered;
}

void requireBetween(double value, double low, double high, const std::string& what) {
  if (!(value >= low && value <= high))
    throw Error(problem, what + " " + numberText(value) + " is not possible",
                "Use " + numberText(low) + " to " + numberText(high));
}

void check(const TrajectoryOptions& o) {
  constexpr std::int64_t maxMatrix = 65535;  // of an ISMRMRD header
  constexpr double maxSeconds = 1e3;
  for (std::int64_t n : o.matrix)
    if (n < 1 || n > maxMatrix)
      throw Error(problem, "a matrix of " + std::to_string(n) + " is not possible", "Use 1 to 65535");
  if (!(o.acceleration > 0) || !std::isfinite(o.acceleration))
    throw Error(problem, "the acceleration must be positive", "Use 1 for full sampling");
  if (o.shots < 0 || o.samplesPerShot < 0 || o.spiralTurns < 0)
    throw Error(problem, "a count is negative", "Use 0 for the default");
  requireBetween(o.dwellSeconds, 0, maxSeconds, "the dwell time");
  requireBetween(o.startSeconds, 0, maxSeconds, "the time of the first sample");
  if (!std::isfinite(o.planeTurn))
    throw Error(problem, "the turn of the planes is not finite", "Give a finite angle");
  const bool volume = isVolume(o.pattern);
  if (volume && o.matrix[2] < 2)
    throw Error(problem, "this pattern is 3-D, the matrix is 2-D", "Give three sizes, for example 64x64x64");
  if (!volume && !isScattered(o.pattern) && o.matrix[2] != 1)
    throw Error(problem, "this pattern is 2-D, the matrix is 3-D", "Give two sizes, for example 128x128");
  if (std::min(o.matrix[0], o.matrix[1]) < 2)
    throw Error(problem, "the matrix is too small", "Use at least 2x2");
  constexpr double minWidth = 1e-3, maxWidth = 10;
  if (o.pattern == Pattern::gaussian)
    requireBetween(o.gaussianWidth, minWidth, maxWidth, "the width of the Gaussian");
  if (o.pattern == Pattern::clustered) {
    std::int64_t smallestSide = std::min(o.matrix[0], o.matrix[1]);
    if (o.matrix[2] > 1) smallestSide = std::min(smallestSide, o.matrix[2]);
    requireBetween(o.clusterSize, minWidth, double(smallestSide), "the side of the cluster");
  }
  if (o.pattern == Pattern::jittered) requireBetween(o.jitter, 0, 1, "the jitter");
  if (o.pattern == Pattern::cones && o.shots > 0)
    throw Error(problem, "the number of shots of a cones pattern follows from its acceleration",
                "Set the acceleration instead");
}

Counts countsOf(const TrajectoryOptions& o) {
  switch (o.pattern) {
    case Pattern::spiral2d:
    case Pattern::stackOfSpirals:
      return countSpirals(o);
    case Pattern::cones:
      return countCones(o);
    case Pattern::random:
    case Pattern::gaussian:
    case Pattern::clustered:
    case Pattern::jittered:
      return countScattered(o);
    default:
      return countRadial(o);
  }
}

void build(const TrajectoryOptions& o, Trajectory& t) {
  switch (o.pattern) {
    case Pattern::spiral2d:
    case Pattern::stackOfSpirals:
      return buildSpirals(o, t);
    case Pattern::cones:
      return buildCones(o, t);
    case Pattern::random:
    case Pattern::gaussian:
    case Pattern::clustered:
    case Pattern::jittered:
      return buildScattered(o, t);
    default:
      return buildRadial(o, t);
  }
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
      {"stack-of-spirals", Pattern::stackOfSpirals},
      {"cones", Pattern::cones},
      {"random", Pattern::random},
      {"gaussian", Pattern::gaussian},
      {"clustered", Pattern::clustered},
      {"jittered", Pattern::jittered}};
  return names;
}

std::string patternName(Pattern pattern) {
  for (const auto& [name, value] : patternNames())
    if (value == pattern) return name;
  return {};
}

Index3 resolvedMatrix(const TrajectoryOptions& o) {
  Index3 matrix = o.matrix;
  if (matrix[1] == 0) matrix[1] = matrix[0];
  if (matrix[2] == 0) matrix[2] = isVolume(o.pattern) ? matrix[0] : 1;
  return matrix;
}

Trajectory generateTrajectory(const TrajectoryOptions& asked) {
  TrajectoryOptions o = asked;
  o.matrix = resolvedMatrix(asked);
  check(o);
  const Counts counts = countsOf(o);
  constexpr double perSample = 5 * sizeof(double);  // three coordinates, weight, time
  requireMemory(counts.total * perSample, problem, "it", "Use a smaller matrix or more acceleration");
  Trajectory t;
  t.dims = o.matrix[2] > 1 ? 3 : 2;
  t.points.reserve(std::size_t(counts.total) * std::size_t(t.dims));
  t.shotOffsets.reserve(std::size_t(counts.shots) + 1);
  build(o, t);
  t.times.reserve(std::size_t(t.samples()));
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    for (std::int64_t i = 0; i < t.shotOffsets[s + 1] - t.shotOffsets[s]; ++i)
      t.times.push_back(o.startSeconds + double(i) * o.dwellSeconds);
  return t;
}

}  // namespace spokelab
