#include "engine/nufft/type3/wrapped_grid.h"

#include <algorithm>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

// Index of the pixel of cell m, which may lie in the halo. Index i is pixel i - floor(G / 2).
std::int64_t pixelOf(std::int64_t m, std::int64_t cells) {
  return (m + cells / 2) % cells;
}
// The cell of pixel index i, not in the halo.
std::int64_t cellOf(std::int64_t i, std::int64_t cells) {
  return (i + cells - cells / 2) % cells;
}

}  // namespace

template <class Real>
void imageOfGrid(const GridLayout& layout, const std::complex<Real>* grid, std::complex<Real>* image,
                 int threads) {
  const Index3& g = layout.grid;
  parallelTasks(g[1] * g[2], threads, [&](std::int64_t row) {
    std::complex<Real>* const to = image + row * g[0];
    std::fill_n(to, g[0], std::complex<Real>(0));
    const std::int64_t firstY = cellOf(row % g[1], g[1]), firstZ = cellOf(row / g[1], g[2]);
    // The cell, then its copies in the halo.
    for (std::int64_t z = firstZ; z < g[2] + layout.halo[2]; z += g[2])
      for (std::int64_t y = firstY; y < g[1] + layout.halo[1]; y += g[1]) {
        const std::complex<Real>* const from = grid + z * layout.stride[2] + y * layout.stride[1];
        for (std::int64_t begin = 0; begin < g[0] + layout.halo[0]; begin += g[0]) {
          const std::int64_t end = std::min(begin + g[0], g[0] + layout.halo[0]);
          const std::int64_t half = std::min(begin + (g[0] + 1) / 2, end);  // indices restart at 0
          for (std::int64_t x = begin; x < half; ++x) to[x - begin + g[0] / 2] += from[x];
          for (std::int64_t x = half; x < end; ++x) to[x - begin - (g[0] + 1) / 2] += from[x];
        }
      }
  });
}

template <class Real>
void gridOfImage(const GridLayout& layout, const std::complex<Real>* image, std::complex<Real>* grid,
                 int threads) {
  const Index3& g = layout.grid;
  const std::int64_t rows = g[1] + layout.halo[1];
  parallelTasks(rows * (g[2] + layout.halo[2]), threads, [&](std::int64_t row) {
    const std::int64_t y = row % rows, z = row / rows;
    const std::complex<Real>* const from = image + (pixelOf(z, g[2]) * g[1] + pixelOf(y, g[1])) * g[0];
    std::complex<Real>* const to = grid + z * layout.stride[2] + y * layout.stride[1];
    for (std::int64_t x = 0; x < g[0] + layout.halo[0]; ++x) to[x] = from[pixelOf(x, g[0])];
  });
}

template void imageOfGrid(const GridLayout&, const std::complex<float>*, std::complex<float>*, int);
template void imageOfGrid(const GridLayout&, const std::complex<double>*, std::complex<double>*, int);
template void gridOfImage(const GridLayout&, const std::complex<float>*, std::complex<float>*, int);
template void gridOfImage(const GridLayout&, const std::complex<double>*, std::complex<double>*, int);

}  // namespace spokelab
