// An array whose copy arrives in the device's memory while the host does other work.
#pragma once

#include <cstdint>

namespace spokelab::gpu {

class ArrivingArray {
 public:
  virtual ~ArrivingArray() = default;
  virtual std::int64_t bytes() const = 0;
  // Waits until byte `i` has arrived, and returns its device address; null if the array has no such
  // byte or copying failed.
  virtual const void* at(std::int64_t i) const = 0;
};

}  // namespace spokelab::gpu
