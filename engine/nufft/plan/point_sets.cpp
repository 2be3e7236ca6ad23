#include "engine/nufft/plan/point_sets.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr const char* cannotSet = "Cannot set the points of a transform";
constexpr std::int64_t coordinatesPerTask = 1 << 15;  // takes some ten microseconds

// x * 0 is 0 where x is finite, else NaN: a loop without branches.
bool allFinite(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x * 0;
  return sum == 0;
}

void requireOffsets(const PointSets& given, std::int64_t sets, int dims) {
  const auto count = std::int64_t(given.points.size()) / dims;
  if (given.points.size() % std::size_t(dims) != 0)
    throw Error(cannotSet,
                std::to_string(given.points.size()) + " coordinates do not make points of " +
                    std::to_string(dims) + " dimensions",
                "Give all coordinates of each point");
  if (given.sets() != sets)
    throw Error(cannotSet,
                "there are " + std::to_string(given.offsets.size()) + " offsets for a plan of " +
                    countText(sets, "set", "sets"),
                "Give one offset more than the plan has sets; sets may have no points");
  if (given.offsets.front() != 0 || given.offsets.back() != count ||
      !std::is_sorted(given.offsets.begin(), given.offsets.end()))
    throw Error(
        cannotSet,
        "the offsets of the sets do not rise from 0 to the number of points, " + std::to_string(count),
        "Give the number of the first point of each set, and at last the number of all points");
}

}  // namespace

void requirePointSets(const PointSets& given, std::int64_t sets, int dims, int threads) {
  requireOffsets(given, sets, dims);
  std::atomic<bool> finite{true};
  parallelFor(std::int64_t(given.points.size()), threads, coordinatesPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                if (!allFinite(given.points.subspan(std::size_t(begin), std::size_t(end - begin))))
                  finite = false;
              });
  if (finite) return;
  const auto bad =
      std::find_if(given.points.begin(), given.points.end(), [](double x) { return !std::isfinite(x); }) -
      given.points.begin();
  const std::int64_t point = bad / dims;
  const std::int64_t set =
      std::upper_bound(given.offsets.begin(), given.offsets.end(), point) - given.offsets.begin() - 1;
  throw Error(cannotSet,
              "a coordinate of point " + std::to_string(point - given.offsets[std::size_t(set)]) +
                  " of set " + std::to_string(set) + " (counted from 0) is not a finite number",
              "Check the trajectory for NaN and infinity");
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

void refuseOneSet(std::int64_t sets) {
  throw Error(cannotSet, "the plan was made for " + countText(sets, "set", "sets") + " of points",
              "Set them together");
}

}  // namespace spokelab
