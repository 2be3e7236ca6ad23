// The cells of a tile and its halo, in a separate box: copies that are added to the grid, and
// sectors that are read from it.
#pragma once

#include <complex>
#include <span>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

// size: of the box, in cells; the last tile of a dimension may reach beyond the grid. perCell:
// numbers in a cell. The boxes are [z, y, x][perCell].

// Adds boxes to the grid, in double.
template <class Real>
void addTileCells(const GridLayout& layout, std::int64_t tile, const Index3& size, int perCell,
                  std::span<const std::complex<Real>* const> boxes, std::complex<Real>* grid);

// Reads the grid into a box; zeros beyond it.
template <class Real>
void readTileCells(const GridLayout& layout, std::int64_t tile, const Index3& size, int perCell,
                   const std::complex<Real>* grid, std::complex<Real>* box);

}  // namespace spokelab
