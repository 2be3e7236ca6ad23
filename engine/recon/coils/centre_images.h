// Images of the coils from the centre of k-space alone, on few pixels: what coil maps are estimated
// from.
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

// The samples of a slice or volume. points: [sample, dims] in cycles/FOV.
struct CoilSamples {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  std::span<const double> points;
  std::span<const cfloat* const> coils;
};

// The field of view of `matrix`, on pixels that are as fine as `calibration` cycles/FOV need.
struct CentreImages {
  Index3 size{1, 1, 1};
  Buffer<cfloat> images;  // [coil, z, y, x]
};

// Coils that are gridded together: they share kernel values, and bound the plan's grids.
inline constexpr std::int64_t centreCoilsAtOnce = 4;

// size^{-d} sum_j w_j h(k_j) y_j e^{+2 pi i n_d k_jd / size_d}, h a Hann window that is 0 from
// calibration/2 on; density: areas, [sample]; `oversampling` pixels for each of the `calibration`
// cycles, at most those of the matrix. Throws Error, Cancelled.
CentreImages centreImages(NufftBackend& backend, const CoilSamples& samples, std::span<const double> density,
                          int calibration, int oversampling, const NufftOptions& options,
                          const Progress& progress);

// Coils whose images hold nothing but what rounding left.
std::vector<int> emptyCoils(const CentreImages& centre, int coils);

}  // namespace spokelab
