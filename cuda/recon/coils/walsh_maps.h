// Walsh's coil maps, made and kept on the device: what engine/recon/coils/walsh_maps.h does on the
// host. Source: Walsh, Gmitro, Marcellin, MRM 43:682, 2000.
#pragma once

#include <memory>

#include "engine/core/progress.h"
#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/walsh_maps.h"

namespace spokelab::gpu {

// Null beyond maxMapCoils. Throws Error (memory); Cancelled.
std::shared_ptr<const BackendMaps> walshMapsOnDevice(const WalshPixels& pixels, const Progress& progress);

}  // namespace spokelab::gpu
