// Samples of an array file to their places in a scan.
#pragma once

#include <cstdint>

#include "engine/scan/scan.h"

namespace spokelab {

// values -> out[n * step]; true where all are finite there.
template <class In, class Out>
bool storeSamples(const In* values, std::int64_t count, Out* out, std::int64_t step) {
  for (std::int64_t n = 0; n < count; ++n) out[n * step] = Out(values[n]);
  if (step == 1) return allFinite(out, count);
  bool finite = true;
  for (std::int64_t n = 0; n < count; ++n) finite = allFinite(out + n * step, 1) && finite;
  return finite;
}

}  // namespace spokelab
