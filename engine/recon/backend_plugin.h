// A plug-in (nufft/plugin) as a backend: its transforms, and all else on the CPU, by the roads of
// gridding.h and iterate_scan.h.
#pragma once

#include <memory>

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/recon/backend.h"

namespace spokelab {

std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info);

}  // namespace spokelab
