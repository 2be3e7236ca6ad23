// Walsh's coil maps (Walsh, Gmitro, Marcellin, MRM 43:682, 2000): on the pixels of the centre's images the
// leading eigenvector of the coils' covariance in the block around each, and linearly between them. On
// the host here; a backend may do the same in its own memory (TransformBackend::walshMaps).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/coils/coil_maps.h"

namespace spokelab {

// What the maps are computed from.
struct WalshPixels {
  const CentreImages* centre = nullptr;  // has to outlive this
  int coils = 0;
  Index3 matrix{1, 1, 1};
  Index3 half{};     // a block reaches so many pixels of the centre's images to either side
  double scale = 1;  // of the images, so that squares of floats neither overflow nor vanish
  // A unit vector: iterations start from it, and a map's product with it is real and positive.
  std::vector<cdouble> reference;
  double minTrace = 0;          // of a block's covariance, of images times the scale: below, there is no map
  std::vector<int> emptyCoils;  // have no map
};

// Throws as estimateCoilMaps does.
WalshPixels walshPixels(const CentreImages& centre, int coils, const Index3& matrix,
                        const CoilMapOptions& options);

// Where a pixel of `matrix` lies among those of `size`, which have the same field of view: the pixel
// before, and the share of the next one.
struct PixelsAround {
  std::int64_t low = 0, high = 0;
  float part = 0;
};
std::vector<PixelsAround> pixelsAround(std::int64_t matrix, std::int64_t size);
// Where less of the vectors around a pixel is there, or their sum is shorter, the pixel has no map.
inline constexpr float minKnownShare = 0.5F, minMapSquare = 1e-12F;

// [coil, pixel]. Throws Error where there is no memory for them; Cancelled.
std::vector<cfloat> walshMaps(const WalshPixels& pixels, const Progress& progress);

}  // namespace spokelab
