// The place of points on the grid. Coordinates are folded and scaled to cells in double precision;
// results in double are exact but for the last bit of the fraction:
//   x = G (k - floor(k)),  first cell i0 = ceil(x - W/2) modulo G,  fraction f = i0 - (x - W/2)
// with f in [0, 1) (see KernelPolynomial). The cell gives the bin's number and the offset in its
// tile. Works on blocks of points.
#pragma once

#include <cstdint>

#include "engine/core/simd/cpu_features.h"

namespace spokelab {

// One dimension: cells G, half of the kernel width, log2 of tile and bin in cells; tileKey and
// binKey are added to the bin's number for each tile and bin, stride to the offset for each cell.
// Partitions have unequal widths: for them the tables cellKey and cellOffset, [G] in every
// dimension, hold these sums for each cell.
struct LocateAxis {
  double cells = 1, halfWidth = 0;
  int tileShift = 0, binShift = 0;
  std::uint32_t tileKey = 0, binKey = 0, stride = 0;
  const std::uint32_t *cellKey = nullptr, *cellOffset = nullptr;
};

inline constexpr int pointsPerLocate = 64;

template <class Real>
struct Located {
  alignas(64) std::uint32_t key[pointsPerLocate];
  alignas(64) std::uint32_t offset[pointsPerLocate];
  alignas(64) Real f[3][pointsPerLocate];
};

// points: [count, dims] interleaved, count <= pointsPerLocate. keysOnly: only `key` is written.
// Returns false where a coordinate is not finite.
template <class Real>
using LocateFunction = bool (*)(const LocateAxis* axes, int dims, const double* points, int count,
                                bool keysOnly, Located<Real>&);

template <class Real>
LocateFunction<Real> locateFunction(InstructionSet set);

// The same for one instruction set each (locate_portable.cpp, locate_avx2.cpp, locate_avx512.cpp).
bool locatePortable(const LocateAxis*, int, const double*, int, bool, Located<float>&);
bool locatePortable(const LocateAxis*, int, const double*, int, bool, Located<double>&);
bool locateAvx2(const LocateAxis*, int, const double*, int, bool, Located<float>&);
bool locateAvx2(const LocateAxis*, int, const double*, int, bool, Located<double>&);
bool locateAvx512(const LocateAxis*, int, const double*, int, bool, Located<float>&);
bool locateAvx512(const LocateAxis*, int, const double*, int, bool, Located<double>&);

}  // namespace spokelab
