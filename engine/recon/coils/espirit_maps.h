// ESPIRiT's maps, pixel by pixel: the leading eigenvectors of the operator of
// calibration_operator.h, by power iterations. On the host here; a backend may do the same in its
// own memory (TransformBackend::espiritMaps).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/coil_division.h"
#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab {

// Smallest squared singular value of the calibration matrix that counts, as a share of the largest.
inline constexpr double minKeptSquareShare = 1e-3;
// The power iterations of a pixel.
inline constexpr PowerLimits espiritPower{60, 1e-5};

// Everything that the maps of all pixels are computed from.
struct EspiritPixels {
  CalibrationData data;
  Index3 width{1, 1, 1};  // of its blocks
  int dims = 2;
  Index3 matrix{1, 1, 1};
  // [set][coil] unit vectors where iterations start; a map's product with its own is real,
  // positive.
  std::vector<std::vector<cdouble>> references;
  double crop = 0;              // maps are 0 where the eigenvalue is smaller
  std::vector<int> emptyCoils;  // have no map
  // Not null: a backend may let each rank compute all coils' maps in a share of the planes, and
  // exchange them. A rank then has the maps of the coils in its share; other coils' maps are
  // undefined. Null: the backend computes all maps.
  const CoilDivision* division = nullptr;
};

// coils: number over all ranks. division: of the coils over ranks; each has its coils' images in
// `centre`, and all get the same numbers as a single rank. Null: `centre` has all coils. Throws as
// estimateCoilMaps does.
EspiritPixels espiritPixels(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                            const CoilMapOptions& options, const CoilDivision* division,
                            const Progress& progress);

// The pixel's phases e^{-2 pi i s (n - floor(N/2)) / N} of all shifts s, along one axis.
std::vector<cfloat> shiftPhases(std::int64_t pixel, std::int64_t size, std::int64_t shifts);

// Maps [set, coil, pixel]. Throws Error where memory for them is missing; Cancelled.
std::vector<cfloat> espiritMaps(const EspiritPixels& pixels, const Progress& progress);

}  // namespace spokelab
