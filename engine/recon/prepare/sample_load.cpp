#include "engine/recon/prepare/sample_load.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr double maxCells = 2e8;
constexpr std::int64_t samplesPerCheck = 1 << 18;  // samples between two looks at the stop token

}  // namespace

SampleLoad sampleLoad(const Trajectory& trajectory, const Index3& matrix, const Index3& grid,
                      const Index3& cell, const Progress& progress) {
  const auto dims = std::size_t(trajectory.dims);
  Index3 counts{1, 1, 1};
  double cellCount = 1;
  for (std::size_t d = 0; d < dims; ++d) {
    const std::int64_t size = std::max<std::int64_t>(1, cell[d]);
    counts[d] = std::max<std::int64_t>(1, (grid[d] + size - 1) / size);
    cellCount *= double(counts[d]);
  }
  if (cellCount > maxCells)
    throw Error("Cannot count the samples of each cell", "there are too many cells", "Choose larger cells");

  const std::int64_t samples = trajectory.samples();
  std::vector<std::int32_t> held(std::size_t(product(counts)));
  std::vector<std::int32_t> where(static_cast<std::size_t>(samples));
  std::array<double, 3> extent{0, 0, 0};  // cycles/FOV
  for (std::int64_t s = 0; s < samples; ++s) {
    if (s % samplesPerCheck == 0) progress.checkpoint();
    std::int64_t index = 0;
    for (std::size_t d = dims; d-- > 0;) {
      const double k = trajectory.points[std::size_t(s) * dims + d];
      extent[d] = std::max(extent[d], std::abs(k));
      double turn = k / double(matrix[d]) + 0.5;
      turn -= std::floor(turn);
      const auto at = std::min<std::int64_t>(grid[d] - 1, std::int64_t(turn * double(grid[d])));
      index = index * counts[d] + at / std::max<std::int64_t>(1, cell[d]);
    }
    where[std::size_t(s)] = std::int32_t(index);
    ++held[std::size_t(index)];
  }
  SampleLoad load;
  load.of.reserve(std::size_t(samples));
  for (const std::int32_t index : where) load.of.push_back(float(held[std::size_t(index)]));

  std::int64_t inside = 0, empty = 0;
  for (std::int64_t z = 0; z < counts[2]; ++z) {
    progress.checkpoint();
    for (std::int64_t y = 0; y < counts[1]; ++y)
      for (std::int64_t x = 0; x < counts[0]; ++x) {
        const std::int32_t n = held[std::size_t((z * counts[1] + y) * counts[0] + x)];
        if (n > 0) {
          ++load.cells;
          load.most = std::max(load.most, double(n));
        }
        const std::array<std::int64_t, 3> at{x, y, z};
        double r = 0;
        for (std::size_t d = 0; d < dims; ++d) {
          const double middle =
              ((double(at[d]) + 0.5) * double(std::max<std::int64_t>(1, cell[d])) / double(grid[d]) - 0.5) *
              double(matrix[d]);
          r += extent[d] > 0 ? middle * middle / (extent[d] * extent[d]) : 0;
        }
        if (r > 1) continue;
        ++inside;
        if (n == 0) ++empty;
      }
  }
  load.mean = load.cells > 0 ? double(samples) / double(load.cells) : 0;
  load.holes = inside > 0 ? double(empty) / double(inside) : 0;
  return load;
}

}  // namespace spokelab
