#include "engine/nufft/points/locate_loops.h"

namespace spokelab {

bool locatePortable(const LocateAxis* axes, int dims, const double* points, int count, bool keysOnly,
                    Located<float>& out) {
  return LocateLoops<simd::Portable, float>::run(axes, dims, points, count, keysOnly, out);
}

bool locatePortable(const LocateAxis* axes, int dims, const double* points, int count, bool keysOnly,
                    Located<double>& out) {
  return LocateLoops<simd::Portable, double>::run(axes, dims, points, count, keysOnly, out);
}

}  // namespace spokelab
