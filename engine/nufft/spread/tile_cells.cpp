#include "engine/nufft/spread/tile_cells.h"

#include <algorithm>
#include <vector>

namespace spokelab {
namespace {

Index3 withinGrid(const GridLayout& layout, std::int64_t tile, const Index3& size) {
  const Index3 first = layout.tileBegin(tile);
  Index3 inside{1, 1, 1};
  for (std::size_t d = 0; d < static_cast<std::size_t>(layout.dims); ++d)
    inside[d] = std::min(size[d], layout.grid[d] + layout.halo[d] - first[d]);
  return inside;
}

}  // namespace

template <class Real>
void addTileCells(const GridLayout& layout, std::int64_t tile, const Index3& size, int perCell,
                  std::span<const std::complex<Real>* const> boxes, std::complex<Real>* grid) {
  const Index3 inside = withinGrid(layout, tile, size);
  std::complex<Real>* const origin = grid + perCell * layout.tileOrigin(tile);
  std::vector<cdouble> sums(static_cast<std::size_t>(perCell * inside[0]));
  for (std::int64_t z = 0; z < inside[2]; ++z) {
    for (std::int64_t y = 0; y < inside[1]; ++y) {
      std::complex<Real>* const to = origin + perCell * (y * layout.stride[1] + z * layout.stride[2]);
      std::copy_n(to, sums.size(), sums.begin());
      for (const std::complex<Real>* const box : boxes) {
        const std::complex<Real>* const from = box + perCell * (z * size[1] + y) * size[0];
        for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += from[x];
      }
      std::copy_n(sums.begin(), sums.size(), to);
    }
  }
}

template <class Real>
void readTileCells(const GridLayout& layout, std::int64_t tile, const Index3& size, int perCell,
                   const std::complex<Real>* grid, std::complex<Real>* box) {
  const Index3 inside = withinGrid(layout, tile, size);
  const std::complex<Real>* const origin = grid + perCell * layout.tileOrigin(tile);
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      std::complex<Real>* const to = box + perCell * (z * size[1] + y) * size[0];
      const std::int64_t read = y < inside[1] && z < inside[2] ? perCell * inside[0] : 0;
      std::copy_n(origin + perCell * (y * layout.stride[1] + z * layout.stride[2]), read, to);
      std::fill(to + read, to + perCell * size[0], std::complex<Real>(0));
    }
  }
}

template void addTileCells(const GridLayout&, std::int64_t, const Index3&, int,
                           std::span<const cfloat* const>, cfloat*);
template void addTileCells(const GridLayout&, std::int64_t, const Index3&, int,
                           std::span<const cdouble* const>, cdouble*);
template void readTileCells(const GridLayout&, std::int64_t, const Index3&, int, const cfloat*, cfloat*);
template void readTileCells(const GridLayout&, std::int64_t, const Index3&, int, const cdouble*, cdouble*);

}  // namespace spokelab
