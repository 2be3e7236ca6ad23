// Coil maps that a backend keeps in its own memory, where its SENSE takes them without a copy.
#pragma once

#include <cstdint>

#include "engine/core/array.h"

namespace spokelab {

class BackendMaps {
 public:
  virtual ~BackendMaps() = default;
  // The maps [set, coil, pixel], at an address in the backend's memory.
  virtual const cfloat* data() const = 0;
  virtual std::int64_t count() const = 0;  // complex numbers of all maps
  // Copies all maps to host memory, and returns when they have arrived. Throws Error if the device
  // failed.
  virtual void download(cfloat* host) const { downloadPart(host, 0, count()); }
  // The same for `count` numbers from number `first` on.
  virtual void downloadPart(cfloat* host, std::int64_t first, std::int64_t count) const = 0;
};

}  // namespace spokelab
