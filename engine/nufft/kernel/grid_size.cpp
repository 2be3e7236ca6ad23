#include "engine/nufft/kernel/grid_size.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxSize = std::int64_t(1) << 31;

// All even 2^a 3^b 5^c 7^d up to 2^31, ascending.
const std::vector<std::int64_t>& fastSizes() {
  static const std::vector<std::int64_t> sizes = [] {
    std::vector<std::int64_t> products;
    for (std::int64_t a = 2; a <= maxSize; a *= 2)
      for (std::int64_t b = a; b <= maxSize; b *= 3)
        for (std::int64_t c = b; c <= maxSize; c *= 5)
          for (std::int64_t d = c; d <= maxSize; d *= 7) products.push_back(d);
    std::sort(products.begin(), products.end());
    return products;
  }();
  return sizes;
}

// Least cells of dimension d.
std::int64_t minCells(const NufftProblem& problem, std::size_t d, double alpha, double width,
                      const AxisRatios& least) {
  // alpha = G / N, rounded, must give G again.
  constexpr double slack = 1e-9;
  const double oversampled = std::ceil(std::max(alpha, least[d]) * double(problem.size[d]) * (1 - slack));
  return std::max(std::int64_t(oversampled), 2 * std::int64_t(std::ceil(width)));
}

// Lengths of 1-D grids, ascending.
std::vector<int> lineLengths() {
  std::vector<int> all;
  for (const std::int64_t n : fastSizes())
    if (n <= maxGpuBlockLine) all.push_back(int(n));
  for (const int row : gpuSplitLengths)
    for (const int column : gpuPassLengths)
      if (const int n = row * column; n > maxGpuBlockLine && n <= maxGpuSplitLine) all.push_back(n);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The lengths of an axis that the backend has passes for in grids of this problem, ascending.
std::span<const int> axisLengths(const std::string& backend, const NufftProblem& problem) {
  if (backend != gpuBackend) return {};
  if (problem.dims == 1) {
    static const std::vector<int> lines = lineLengths();
    return lines;
  }
  if (std::any_of(problem.size.begin(), problem.size.begin() + problem.dims,
                  [](std::int64_t n) { return n < 2; }))
    return {};
  return gpuPassLengths;
}

// Keeps the largest of the ratios that give the same grid; ratios ascend.
template <class GridOf>
std::vector<double> largestOfTheirGrids(const std::vector<double>& ratios, const GridOf& gridOf) {
  std::vector<double> alphas;
  Index3 last{0, 0, 0};
  for (const double alpha : ratios) {
    const Index3 grid = gridOf(alpha);
    if (grid == last) alphas.pop_back();
    last = grid;
    alphas.push_back(alpha);
  }
  return alphas;
}

}  // namespace

std::int64_t nextFastSize(std::int64_t minimum) {
  const auto& sizes = fastSizes();
  const auto found = std::lower_bound(sizes.begin(), sizes.end(), minimum);
  if (found == sizes.end())
    throw Error("The grid is too large", "a dimension of " + std::to_string(minimum) + " cells was asked for",
                "Take a smaller image or oversampling ratio");
  return *found;
}

Index3 gridSize(const NufftProblem& problem, double alpha, double width, const AxisRatios& least) {
  Index3 grid{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
    grid[d] = nextFastSize(minCells(problem, d, alpha, width, least));
  return grid;
}

std::vector<double> fastAlphas(const NufftProblem& problem, const AxisRatios& least) {
  std::vector<double> ratios;
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    const std::int64_t n = problem.size[d];
    for (std::int64_t g = nextFastSize(n + 1); g <= 2 * n; g = nextFastSize(g + 1))
      ratios.push_back(double(g) / double(n));
    if (least[d] > 1 && least[d] <= 2) ratios.push_back(least[d]);
  }
  if (ratios.empty()) ratios.push_back(2);  // one pixel
  std::sort(ratios.begin(), ratios.end());
  return largestOfTheirGrids(ratios, [&](double alpha) { return gridSize(problem, alpha, 1, least); });
}

SplitLengths splitLengths(std::int64_t cells) {
  SplitLengths best;
  if (cells <= maxGpuBlockLine || cells > maxGpuSplitLine) return best;
  const std::span<const int> lengths(gpuPassLengths);
  for (const int row : gpuSplitLengths) {
    const int column = int(cells / row);
    if (cells % row != 0 || !std::binary_search(lengths.begin(), lengths.end(), column)) continue;
    if (best.row == 0 || std::max(row, column) < std::max(best.row, best.column)) best = {row, column};
  }
  return best;
}

bool hasPassesOn(const std::string& backend, const NufftProblem& problem, const Index3& grid) {
  const std::span<const int> lengths = axisLengths(backend, problem);
  return std::all_of(grid.begin(), grid.begin() + problem.dims, [&](std::int64_t cells) {
    return std::binary_search(lengths.begin(), lengths.end(), cells);
  });
}

Index3 gridSizeOn(const std::string& backend, const NufftProblem& problem, double alpha, double width,
                  const AxisRatios& least) {
  // Passes save more than a third of the FFT's time.
  constexpr double maxMoreCells = 1.125;
  const Index3 grid = gridSize(problem, alpha, width, least);
  const std::span<const int> lengths = axisLengths(backend, problem);
  Index3 longer{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
    const auto next =
        std::lower_bound(lengths.begin(), lengths.end(), minCells(problem, d, alpha, width, least));
    if (next == lengths.end()) return grid;
    longer[d] = *next;
  }
  return double(product(longer)) <= maxMoreCells * double(product(grid)) ? longer : grid;
}

std::vector<double> fastAlphasOn(const std::string& backend, const NufftProblem& problem,
                                 const AxisRatios& least) {
  return largestOfTheirGrids(fastAlphas(problem, least),
                             [&](double alpha) { return gridSizeOn(backend, problem, alpha, 1, least); });
}

}  // namespace spokelab
