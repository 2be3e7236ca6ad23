// Makes Walsh's coil maps on the device and keeps them there. The host's version is
// engine/recon/coils/walsh_maps.h; keep both equal.
// Source: Walsh, Gmitro, Marcellin, MRM 43:682, 2000.
#pragma once

#include <memory>

#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/walsh_maps.h"

namespace spokelab::gpu {

// Null where there are more than maxMapCoils coils: use the host then.
// Throws Error (memory); Cancelled.
std::shared_ptr<const BackendMaps> walshMapsOnDevice(const WalshPixels& pixels, const Progress& progress);

}  // namespace spokelab::gpu
