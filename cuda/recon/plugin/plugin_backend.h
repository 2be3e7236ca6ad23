// A plug-in whose arrays are in the GPU's memory, as a backend: its transforms are the plug-in's,
// all else is the GPU's. Data stay on the device between the two.
#pragma once

#include <memory>

#include "engine/recon/sense/backend_plugin.h"

namespace spokelab::gpu {

// gpu: the CUDA backend, which outlives the result.
std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info, Backend& gpu);

}  // namespace spokelab::gpu
