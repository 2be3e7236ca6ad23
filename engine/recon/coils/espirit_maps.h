// ESPIRiT's maps, pixel by pixel: the leading eigenvectors of the operator of calibration_operator.h,
// by power iterations. On the host here; a backend may do the same in its own memory
// (TransformBackend::espiritMaps).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/coils/kernels/coil_loops.h"
#include "engine/recon/prepare/coil_division.h"

namespace spokelab {

// Singular values of the calibration matrix, relative, squared: those below do not count.
inline constexpr double minKeptSingularValue = 1e-3;
// The power iterations of a pixel.
inline constexpr PowerLimits espiritPower{60, 1e-5};

// What the maps of all pixels are computed from.
struct EspiritPixels {
  CalibrationData data;
  Index3 width{1, 1, 1};  // of its blocks
  int dims = 2;
  Index3 matrix{1, 1, 1};
  // [set][coil] unit vectors: iterations start from them, and a map's product with its reference is
  // real and positive.
  std::vector<std::vector<cdouble>> references;
  double crop = 0;              // maps are 0 where the eigenvalue is smaller
  std::vector<int> emptyCoils;  // have no map
  // A backend may have each rank make the maps of all coils in a share of the planes, and exchange them: what a rank
  // then has of the others' coils is not defined. Null: it makes them all.
  const CoilDivision* division = nullptr;
};

// coils: all of them. division: of ranks, each of which has the images of its own coils in `centre`; they get the same
// numbers as one that has all. Null: they are all there. Throws as estimateCoilMaps does.
EspiritPixels espiritPixels(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                            const CoilMapOptions& options, const CoilDivision* division,
                            const Progress& progress);

// The pixel's phases e^{-2 pi i s (n - floor(N/2)) / N} of all shifts s, along one axis.
std::vector<cfloat> shiftPhases(std::int64_t pixel, std::int64_t size, std::int64_t shifts);

// [set, coil, pixel]. Throws Error where there is no memory for them; Cancelled.
std::vector<cfloat> espiritMaps(const EspiritPixels& pixels, const Progress& progress);

}  // namespace spokelab
