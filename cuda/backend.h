// The one public header of the CUDA module, free of CUDA types. The program loads the module at run
// time (dlopen) and looks up the functions below, so that it also starts on a machine without
// toolkit, driver or device.
#pragma once

#include <cstddef>
#include <type_traits>

#include "engine/core/measure/spans.h"
#include "engine/core/modules/cuda_module.h"
#include "engine/nufft/plugin/gpu_plugins.h"
#include "engine/recon/sense/backend_plugin.h"

extern "C" {

// The backend of device 0, owned by the caller (delete), or null and the reason in words ("No
// NVIDIA driver: libcuda.so.1 not found") written to `reason`, cut to reasonSize and terminated.
// Never throws.
spokelab::Backend* spokelabCudaBackend(char* reason, std::size_t reasonSize);

// The signature above, for dlsym.
using SpokelabCudaBackendFunction = spokelab::Backend* (*)(char*, std::size_t);

// A plug-in's plan with arrays in the memory of the thread's current GPU. Throws Error.
void spokelabCudaPluginNufft(const spokelab::GpuPluginRequest& request, spokelab::AnyNufft& made);

// The backend of a plug-in onGpu, owned by the caller. gpu: of spokelabCudaBackend(), outlives it.
spokelab::Backend* spokelabCudaPluginBackend(const spokelab::PluginInfo& info, spokelab::Backend& gpu);

// Shares the caller's buffers and spans with a module that contains a second engine (loaded by
// libspokelab.so, which hides its engine's symbols), because Buffers are handed from one engine to
// the other, and the caller listens to the module's spans. Called before the function above.
void spokelabCudaShareEngine(void* (*allocate)(std::size_t), void (*release)(void*, std::size_t) noexcept,
                             spokelab::SpanThread* (*spans)() noexcept);
}

// The engine looks the functions up under these types.
static_assert(std::is_same_v<spokelab::CudaPluginNufft, decltype(&spokelabCudaPluginNufft)>);
static_assert(std::is_same_v<spokelab::CudaPluginBackend, decltype(&spokelabCudaPluginBackend)>);
static_assert(std::is_same_v<spokelab::ShareCudaEngine, decltype(&spokelabCudaShareEngine)>);
