// Memory and load of a GPU at one moment, as device lists show them.
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
