// The inner loops of coil maps and of adaptive combination, compiled once for each instruction set
// (coil_loops_*.cpp). A tile is pixelTile pixels side by side, so that a vector register holds one
// number of many pixels. Complex numbers of a tile are two planes: [real, imaginary][pixel].
// Hermitian matrices of a tile are their lower triangles: pair(a, b) = a (a + 1) / 2 + b, b <= a,
// [pair][plane][pixel].
#pragma once

namespace spokelab {

inline constexpr int pixelTile = 16;
inline constexpr int panelWidth = 32;  // columns of a panel (panel_product.h)

constexpr int coilPairs(int coils) {
  return coils * (coils + 1) / 2;
}

// Power iterations end after maxSteps, or if a register's vectors change by less than `tolerance`.
struct PowerLimits {
  int maxSteps = 0;
  double tolerance = 0;
};

template <class Real>
struct CoilLoops {
  // out[i] += (re, im) * in[i], for `count` complex numbers in two arrays each.
  void (*addScaled)(long count, Real re, Real im, const Real* inRe, const Real* inIm, Real* outRe,
                    Real* outIm);
  // matrices[pair] = sum over `terms` of (re, im)[pair][term] * phases[term][plane][pixel].
  void (*evaluate)(int pairs, int terms, const Real* re, const Real* im, const Real* phases, Real* matrices);
  // matrices += v v^H; v [coil][plane][pixel].
  void (*addOuter)(int coils, const Real* v, Real* matrices);
  // out[plane][pixel x] = sum of in[plane][first + x - half ... first + x + half]; a plane of `in`
  // begins `row` numbers after the one before.
  void (*boxSum)(int planes, long row, long first, int half, const Real* in, Real* out);
  // Dominant eigenvectors by power iterations. vectors [coil][plane][pixel]: the start, which the
  // unit eigenvector replaces; it remains where its product with the matrix is 0. values [pixel]:
  // eigenvalues. work: scratch of the length of `vectors`.
  void (*leading)(int coils, const PowerLimits& limits, const Real* matrices, Real* vectors, Real* values,
                  Real* work);
  // c[i][plane][j] += sum over `rows` of conj(a[row][i]) b[row][j]; a, b [row][plane][panelWidth].
  void (*panelProduct)(long rows, const Real* a, const Real* b, Real* c);
};

template <class Real>
const CoilLoops<Real>& coilLoops();  // for this processor

extern const CoilLoops<float> coilLoopsFloatPortable;
extern const CoilLoops<double> coilLoopsDoublePortable;
#ifdef SPOKELAB_X86_64
extern const CoilLoops<float> coilLoopsFloatAvx2, coilLoopsFloatAvx512;
extern const CoilLoops<double> coilLoopsDoubleAvx2, coilLoopsDoubleAvx512;
#endif

}  // namespace spokelab
