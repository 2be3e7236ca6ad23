// A device (GPU) as a user sees it.
#pragma once

#include <cstdint>
#include <string>

namespace spokelab {

struct DeviceState {
  std::string name;
  std::int64_t memory = 0, freeMemory = 0;  // bytes; 0: not known
  int load = -1;                            // percent; negative: not known
};

}  // namespace spokelab
