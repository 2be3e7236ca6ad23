// A plug-in's plan as a Nufft, with points, images and samples in the GPU's memory. The plan has
// one stream for its life; events order a caller's stream before and after it, and the host does
// not wait. Arrays in host memory are copied.
#pragma once

#include "engine/nufft/plugin/gpu_plugins.h"

namespace spokelab::gpu {

// On the device that is current in this thread. Throws Error.
AnyNufft makePluginNufft(const GpuPluginRequest& request);

}  // namespace spokelab::gpu
