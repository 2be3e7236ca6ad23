// Locating points without special instructions.
#include "engine/nufft/locate_loops.h"

namespace spokelab {

bool locatePortable(const LocateAxis* axes, int dims, const double* points, int count, Located<float>& out) {
  return LocateLoops<simd::Portable, float>::run(axes, dims, points, count, out);
}

bool locatePortable(const LocateAxis* axes, int dims, const double* points, int count, Located<double>& out) {
  return LocateLoops<simd::Portable, double>::run(axes, dims, points, count, out);
}

}  // namespace spokelab
