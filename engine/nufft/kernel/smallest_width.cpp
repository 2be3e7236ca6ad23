#include "engine/nufft/kernel/smallest_width.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <tuple>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab {
namespace {

constexpr int stepsPerCell = 64;
constexpr double minWidth = 1;

using Key = std::tuple<int, Index3, Precision, ErrorMeasure, KernelType, double, double>;

double search(const NufftProblem& problem, KernelType type, double alpha, double accuracy) {
  auto meets = [&](int steps) {
    return meetsAccuracy(problem, type, alpha, double(steps) / stepsPerCell, accuracy);
  };
  const int low = int(minWidth * stepsPerCell), high = int(maxKernelWidth * stepsPerCell);
  // The error falls about as exp(-pi W sqrt(1 - 1/alpha)). Start there, half a cell early.
  const double guess =
      -std::log(accuracy) / (std::numbers::pi * std::sqrt(std::max(1e-3, 1 - 1 / alpha))) - 0.5;
  constexpr int stride = stepsPerCell / 4;
  int good = std::clamp(int(guess * stepsPerCell), low, high);
  if (meets(good)) {
    while (good > low && meets(std::max(low, good - stride))) good = std::max(low, good - stride);
  } else {
    do {
      if (good == high) return 0;
      good = std::min(high, good + stride);
    } while (!meets(good));
  }
  int bad = std::max(low - 1, good - stride);
  if (good == low) return double(low) / stepsPerCell;
  while (good - bad > 1) {
    const int middle = (good + bad) / 2;
    (meets(middle) ? good : bad) = middle;
  }
  return double(good) / stepsPerCell;
}

}  // namespace

bool meetsAccuracy(const NufftProblem& problem, KernelType type, double alpha, double width,
                   double accuracy) {
  if (!Kernel::defined(type, width, alpha)) return false;
  const Kernel kernel(type, width, alpha);
  const Index3 grid = gridSize(problem, alpha, width);
  const PredictedError e = predictError(problem, kernel, grid, 0, accuracy);
  constexpr double polynomialShare = 0.1;  // the same as polynomialTolerance's
  return std::hypot(e.bound, polynomialShare * accuracy) <= contractMargin * accuracy;
}

double smallestWidth(const NufftProblem& problem, KernelType type, double alpha, double accuracy) {
  const KernelType kernel = resolvedKernel(type);
  static std::mutex mutex;
  static std::map<Key, double> cache;
  constexpr std::size_t maxCached = 4096;
  const Key key{problem.dims, problem.size, problem.precision, problem.measure, kernel, alpha, accuracy};
  {
    const std::lock_guard lock(mutex);
    if (const auto found = cache.find(key); found != cache.end()) return found->second;
  }
  const double width = search(problem, kernel, alpha, accuracy);
  const std::lock_guard lock(mutex);
  if (cache.size() >= maxCached) cache.clear();
  return cache[key] = width;
}

}  // namespace spokelab
