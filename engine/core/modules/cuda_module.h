// The CUDA module (libspokelab_cuda.so), loaded when it is first asked for, and never unloaded: its
// backend's code is in it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace spokelab {

struct SpanThread;

// The module's function spokelabCudaShareEngine (cuda/backend.h).
using ShareCudaEngine = void (*)(void* (*allocate)(std::size_t), void (*release)(void*, std::size_t) noexcept,
                                 SpanThread* (*spans)() noexcept);

// The address of one of its C functions, or null and the reason in words. The environment variable
// SPOKELAB_CUDA_MODULE names another file, or is "none". A module with a second copy of the engine
// gets this one's buffers and spans before the first function is given.
void* cudaModuleFunction(const char* name, std::string& reason);

// The file that was loaded; empty: none.
std::filesystem::path cudaModuleFile();
// Loads this file instead of searching for one, for a child process whose parent has loaded it. No
// function has been asked for yet.
void useCudaModule(const std::filesystem::path& file);

}  // namespace spokelab
