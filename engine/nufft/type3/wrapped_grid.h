// Converts between the grid of the spreading loops, which is periodic, padded and has a halo
// (grid_layout.h), and an image for a transform, whose pixel n is cell n modulo G.
#pragma once

#include <complex>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

// Writes image [z, y, x] of layout.grid; halo cells are added to their periodic images.
template <class Real>
void imageOfGrid(const GridLayout& layout, const std::complex<Real>* grid, std::complex<Real>* image,
                 int threads);

// The reverse; fills all cells, halo included.
template <class Real>
void gridOfImage(const GridLayout& layout, const std::complex<Real>* image, std::complex<Real>* grid,
                 int threads);

}  // namespace spokelab
