// Coil maps that a backend keeps in its own memory, where its SENSE takes them without a copy.
#pragma once

#include <cstdint>

#include <vector>

#include "engine/core/array.h"
#include "engine/core/jobs/ranks.h"

namespace spokelab {

class BackendMaps {
 public:
  virtual ~BackendMaps() = default;
  // [set, coil, pixel], a pointer of the backend.
  virtual const cfloat* data() const = 0;
  virtual std::int64_t count() const = 0;
  // To host memory; has arrived on return.
  virtual void download(cfloat* host) const { downloadPart(host, 0, count()); }
  virtual void downloadPart(cfloat* host, std::int64_t first, std::int64_t count) const = 0;
};

// Of ranks that divide the coils of a volume: each makes the maps of all coils in its share of the planes, and the
// others give it those of its coils in theirs. What it has of other coils is not defined.
struct MapDivision {
  Ranks* ranks = nullptr;
  std::vector<std::vector<int>> coils;  // of each rank, numbers that follow each other
};

}  // namespace spokelab
