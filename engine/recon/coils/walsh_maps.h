// Walsh's coil maps (Walsh, Gmitro, Marcellin, MRM 43:682, 2000): on the pixels of the centre's
// images the leading eigenvector of the coils' covariance in the block around each, and linearly
// between them. On the host here; a backend may do the same in its own memory
// (TransformBackend::walshMaps).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/coils/coil_maps.h"

namespace spokelab {

struct WalshPixels {
  const CentreImages* centre = nullptr;  // has to outlive this
  int coils = 0;
  Index3 matrix{1, 1, 1};
  Index3 half{};     // reach of a block to either side, in pixels of the centre's images
  double scale = 1;  // of the images, so that squares of floats neither overflow nor vanish
  // A unit vector: iterations start from it, and a map's product with it is real and positive.
  std::vector<cdouble> reference;
  double minTrace = 0;  // of a block's covariance, for images times the scale; below it a pixel has no map
  std::vector<int> emptyCoils;  // have no map
};

// Throws as estimateCoilMaps does.
WalshPixels walshPixels(const CentreImages& centre, int coils, const Index3& matrix,
                        const CoilMapOptions& options);

// The place of a pixel of `matrix` among the pixels of `size`, along one axis: its neighbours `low`
// and `high`, and the share `part` of `high` in the linear interpolation.
struct PixelsAround {
  std::int64_t low = 0, high = 0;
  float part = 0;
};
std::vector<PixelsAround> pixelsAround(std::int64_t matrix, std::int64_t size);
// A pixel has no map where the neighbours that have vectors carry less than minKnownShare of the
// interpolation's weight, or where the square of the interpolated vector is below minMapSquare.
inline constexpr float minKnownShare = 0.5F, minMapSquare = 1e-12F;

// Maps [coil, pixel]. Throws Error where memory for them is missing; Cancelled.
std::vector<cfloat> walshMaps(const WalshPixels& pixels, const Progress& progress);

}  // namespace spokelab
