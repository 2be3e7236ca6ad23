// Finds which compiled code of the CUDA module runs on the current device, before any work starts.
#pragma once

#include <string>

namespace spokelab::gpu {

struct CompiledCode {
  int capability = 0;   // architecture of that code, major * 10 + minor: at most the device's
  std::string missing;  // empty, or why no kernel of the module runs on the current device
};
CompiledCode compiledCode();

}  // namespace spokelab::gpu
