// Coil maps that a backend keeps in its own memory, where its SENSE takes them without a copy.
#pragma once

#include <cstdint>

#include "engine/core/array.h"

namespace spokelab {

class BackendMaps {
 public:
  virtual ~BackendMaps() = default;
  // [set, coil, pixel], a pointer of the backend.
  virtual const cfloat* data() const = 0;
  virtual std::int64_t count() const = 0;
  // Copies to host memory and waits for it. Throws Error if the device failed.
  virtual void download(cfloat* host) const { downloadPart(host, 0, count()); }
  virtual void downloadPart(cfloat* host, std::int64_t first, std::int64_t count) const = 0;
};

}  // namespace spokelab
