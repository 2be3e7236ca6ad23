// A plug-in (nufft/plugin) as a backend: its transforms, and all else on the CPU.
#pragma once

#include <memory>

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info);

}  // namespace spokelab
