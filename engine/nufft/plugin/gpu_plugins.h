// Plans of plug-ins with arrays in a GPU's memory: the CUDA module makes them (cuda/nufft/plugin).
#pragma once

#include <memory>

#include "engine/nufft/plugin/plugin_plan.h"

namespace spokelab {

struct GpuPluginRequest {
  std::shared_ptr<const PluginCode> code;
  PluginInfo plugin;
  NufftProblem problem;
  NufftOptions options;
  PluginWatcher watcher;
};

// The CUDA module's function spokelabCudaPluginNufft (cuda/backend.h).
using CudaPluginNufft = void (*)(const GpuPluginRequest&, AnyNufft& made);

// On the GPU that is current in this thread. Loads the module where this process has not done so: a
// child process that tries a plug-in has none. Throws Error.
AnyNufft makeGpuPluginNufft(const GpuPluginRequest& request);

}  // namespace spokelab
