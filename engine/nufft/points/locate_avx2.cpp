#include "engine/nufft/points/locate_loops.h"

namespace spokelab {

bool locateAvx2(const LocateAxis* axes, int dims, const double* points, int count, bool keysOnly,
                Located<float>& out) {
  return LocateLoops<simd::Avx2, float>::run(axes, dims, points, count, keysOnly, out);
}

bool locateAvx2(const LocateAxis* axes, int dims, const double* points, int count, bool keysOnly,
                Located<double>& out) {
  return LocateLoops<simd::Avx2, double>::run(axes, dims, points, count, keysOnly, out);
}

}  // namespace spokelab
