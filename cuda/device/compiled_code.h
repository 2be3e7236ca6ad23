// Whether the module holds code for the device.
#pragma once

#include <string>

namespace spokelab::gpu {

// Empty, or why no kernel of the module runs on the current device.
std::string missingCode();

}  // namespace spokelab::gpu
