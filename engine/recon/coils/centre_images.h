// Images of the coils from the centre of k-space alone, on few pixels. Coil maps are estimated from
// them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/jobs/rank_values.h"
#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/recon/coils/coil_division.h"

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

// The number of coils that are gridded together. Together they share kernel values; more of them
// would need a plan with more grids.
inline constexpr std::int64_t centreCoilsAtOnce = 4;

// size^{-d} sum_j w_j h(k_j) y_j e^{+2 pi i n_d k_jd / size_d}, h a Hann window that is 0 from
// calibration/2 on; density: areas, [sample]; `oversampling` pixels for each of the `calibration`
// cycles, at most those of the matrix. Throws Error, Cancelled.
CentreImages centreImages(NufftBackend& backend, const CoilSamples& samples, std::span<const double> density,
                          int calibration, int oversampling, const NufftOptions& options,
                          const Progress& progress);

// Sum over the pixels of |image|^2, for each coil.
std::vector<double> coilEnergies(const CentreImages& centre, int coils);
// Numbers of the coils whose energy is at most 1e-10 of the strongest coil's: their images hold
// only rounding errors.
std::vector<int> emptyCoils(const std::vector<double>& energies);
inline std::vector<int> emptyCoils(const CentreImages& centre, int coils) {
  return emptyCoils(coilEnergies(centre, coils));
}

// Gathers the values [coil, ...] of all coils, the same on each rank. own: values of this rank's
// coils, of equal length for each coil. All ranks call it. Throws Error, Cancelled.
template <class Values>
Values ofAllCoils(const Values& own, const CoilDivision& division, const Progress& progress) {
  const std::size_t each = own.size() / division.own().size();
  std::vector<RankPart> parts;
  std::size_t coils = 0;
  for (const std::vector<int>& share : division.coils) {
    const std::size_t bytes = each * sizeof(own[0]);
    parts.push_back({coils * bytes, share.size() * bytes});
    coils += share.size();
  }
  Values all(coils * each);
  std::copy(own.begin(), own.end(), all.begin() + std::ptrdiff_t(std::size_t(division.own().front()) * each));
  shareParts(*division.ranks, all.data(), parts, progress);
  return all;
}

}  // namespace spokelab
