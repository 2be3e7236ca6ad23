// Sums over the samples of all coils, in a backend's memory: what prepareScan() has made there where the
// backend can. Samples that were mixed there stay, and SENSE and gridding take them without a copy.
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

class CoilMixer {
 public:
  virtual ~CoilMixer() = default;

  // Whether it can begin at once; else a library is loaded first, which takes some ten milliseconds.
  virtual bool ready() const = 0;
  // Whether so many samples of so many coils are worth their way there, and fit.
  virtual bool takes(std::int64_t coils, std::int64_t samples) = 0;
  // Sum over the samples of y y^H, [coil, coil]. coils: [sample] each, in host memory. Throws Error,
  // Cancelled.
  virtual std::vector<cdouble> covariance(std::span<const cfloat* const> coils, std::int64_t samples,
                                          const Progress& progress) = 0;
  // out [row, sample], host memory, = M y; matrix: M [row, coil]. Throws Error, Cancelled.
  virtual void mix(std::span<const cdouble> matrix, int rows, std::span<const cfloat* const> coils,
                   std::int64_t samples, cfloat* out, const Progress& progress) = 0;
  // Where a copy of `host` lies, which points into something that mix() gave, in the backend's memory;
  // null: nowhere.
  virtual const cfloat* copyOf(const cfloat* host) const = 0;
};

}  // namespace spokelab
