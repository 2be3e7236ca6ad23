// Finds the part of the module's code that runs on the device.
#pragma once

#include <string>

namespace spokelab::gpu {

struct CompiledCode {
  int capability = 0;   // that its source was compiled for, as major * 10 + minor: at most the device's
  std::string missing;  // empty, or why no kernel of the module runs on the current device
};
CompiledCode compiledCode();

}  // namespace spokelab::gpu
