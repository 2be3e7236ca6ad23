// Between the grid that the loops spread on to, which is periodic, padded and has a halo
// (grid_layout.h), and the image that a transform takes, whose pixel n lies at cell n modulo G.
#pragma once

#include <complex>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

// image [z, y, x] of size layout.grid: the cells, those of the halo added to the ones they stand for.
template <class Real>
void imageOfGrid(const GridLayout& layout, const std::complex<Real>* grid, std::complex<Real>* image,
                 int threads);

// The reverse: fills all cells, halo included.
template <class Real>
void gridOfImage(const GridLayout& layout, const std::complex<Real>* image, std::complex<Real>* grid,
                 int threads);

}  // namespace spokelab
