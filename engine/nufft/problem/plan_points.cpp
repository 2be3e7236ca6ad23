#include "engine/nufft/problem/plan_points.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "engine/core/error.h"
#include "engine/core/measure/spans.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr const char* cannotSet = "Cannot set the points of a transform";
constexpr std::int64_t coordinatesPerTask = 1 << 15;  // about 10 us of work

// x * 0 is 0 if x is finite, else NaN: the loop has no branches. Not with -ffinite-math-only.
bool allFinite(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * 0;
  return sum == 0;
}

}  // namespace

void requireWeights(std::size_t weights, std::int64_t count, const char* thing) {
  if (weights == 0 || std::int64_t(weights) == count) return;
  const std::string one = thing;
  throw Error(
      "Cannot apply the weights of a transform",
      "there are " + std::to_string(weights) + " weights for " + std::to_string(count) + " " + one + "s",
      "Give one weight a " + one);
}

void requireShape(const PlanPoints& points, const NufftProblem& problem) {
  const auto coordinateCount = points.coordinates.size(), dims = std::size_t(problem.dims);
  const auto count = std::int64_t(coordinateCount / dims), sets = std::max<std::int64_t>(problem.sets, 1);
  if (coordinateCount % dims != 0)
    throw Error(cannotSet,
                std::to_string(coordinateCount) + " coordinates do not make points of " +
                    std::to_string(dims) + " dimensions",
                "Give all coordinates of each point");
  if (points.offsets.empty()) {
    if (sets > 1)
      throw Error(cannotSet, "the plan was made for " + countText(sets, "set", "sets") + " of points",
                  "Set them together");
    return;
  }
  if (points.sets() != sets)
    throw Error(cannotSet,
                "there are " + std::to_string(points.offsets.size()) + " offsets for a plan of " +
                    countText(sets, "set", "sets"),
                "Give one offset more than the plan has sets; sets may have no points");
  if (points.offsets.front() != 0 || points.offsets.back() != count ||
      !std::is_sorted(points.offsets.begin(), points.offsets.end()))
    throw Error(
        cannotSet,
        "the offsets of the sets do not ascend from 0 to the number of points, " + std::to_string(count),
        "Give the number of the first point of each set, and at last the number of all points");
}

void requireFinitePoints(const PlanPoints& points, int dims, int threads) {
  const std::span<const double> all = points.coordinates;
  std::atomic<bool> finite{true};
  parallelFor(std::int64_t(all.size()), threads, coordinatesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                if (!allFinite(all.subspan(std::size_t(begin), std::size_t(end - begin)))) finite = false;
              });
  if (finite) return;
  const std::int64_t point =
      (std::find_if(all.begin(), all.end(), [](double x) { return !std::isfinite(x); }) - all.begin()) / dims;
  const auto& offsets = points.offsets;
  const std::int64_t set =
      offsets.empty() ? 0 : std::upper_bound(offsets.begin(), offsets.end(), point) - offsets.begin() - 1;
  const std::int64_t first = offsets.empty() ? 0 : offsets[std::size_t(set)];
  throw Error(cannotSet,
              "a coordinate of point " + std::to_string(point - first) + " of set " + std::to_string(set) +
                  " (counted from 0) is not a finite number",
              "Check the trajectory for NaN and infinity");
}

Buffer<double> dividedPoints(std::span<const double> points, int dims, const std::array<double, 3>& divisors,
                             int threads) {
  constexpr std::int64_t pointsPerTask = 1 << 14;
  const Span traced("points in cycles per pixel");
  const auto width = std::size_t(dims);
  Buffer<double> divided(points.size());
  parallelFor(std::int64_t(points.size() / width), threads, pointsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto j = std::size_t(begin); j < std::size_t(end); ++j)
                  for (std::size_t d = 0; d < width; ++d)
                    divided[j * width + d] = points[j * width + d] / divisors[d];
              });
  return divided;
}

HostPoints::HostPoints(const PlanPoints& points, const NufftProblem& problem, int threads)
    : given_(points.coordinates) {
  if (points.onDevice)
    throw Error(cannotSet, "they are in a GPU's memory, and the plan is not",
                "Give points in host memory, or plan with another backend");
  requireShape(points, problem);
  if (points.scaled()) divided_ = dividedPoints(given_, problem.dims, points.divisors, threads);
}

NufftOptions optionsForSets(std::int64_t sets, const NufftOptions& options) {
  if (sets < 1)
    throw Error("Cannot plan the transform", std::to_string(sets) + " sets of points were asked for",
                "Ask for at least one");
  if (isToeplitz(options.normal))
    throw Error("Cannot plan the transform",
                "a Toeplitz operator serves one set of points, and several are asked for",
                "Choose the normal operator \"gridded\" or \"auto\"");
  NufftOptions own = options;
  if (own.normal == NormalMethod::automatic) own.normal = NormalMethod::later;
  return own;
}

}  // namespace spokelab
