// The kinds of backends, and the names of ours: in options, records and on the command line.
#pragma once

#include <string_view>

namespace spokelab {

enum class BackendKind { cpu, gpu, plugin };

inline constexpr const char* cpuBackend = "cpu";
inline constexpr const char* gpuBackend = "cuda";

// Other names are plug-ins'.
constexpr BackendKind kindOf(std::string_view backend) {
  return backend == cpuBackend   ? BackendKind::cpu
         : backend == gpuBackend ? BackendKind::gpu
                                 : BackendKind::plugin;
}

}  // namespace spokelab
