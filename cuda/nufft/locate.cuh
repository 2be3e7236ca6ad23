// Where a point lies on the grid, and the kernel's weights at the cells it touches.
#pragma once

#include "cuda/nufft/method.h"

namespace spokelab::cuda {

template <class Real>
struct Located {
  int first;      // first cell touched, wrapped to [0, G)
  Real fraction;  // f in [0, 1]: cell first + j lies at u = f + j - W/2 from the point
};

/// k in cycles per pixel. Folding, scaling and the fraction are computed in double: a float coordinate times a
/// grid of hundreds of cells would lose the accuracy that was promised.
template <class Real>
__device__ __forceinline__ Located<Real> locate(double k, int grid, double halfWidth) {
  double x = (k - floor(k)) * grid;  // [0, G]: G itself where k is a tiny negative number
  if (x >= grid) x -= grid;
  const double low = x - halfWidth;
  const double first = ceil(low);
  int cell = int(first);
  if (cell < 0) cell += grid;  // G >= 2 ceil(W): once is enough
  return {cell, Real(first - low)};
}

/// Weights of one point in one dimension: weight[j] = phi(f + j - W/2), j = 0 ... cells - 1.
/// Cells is the compile-time ceil(W), or 0 where it is table.cells at run time (weight then needs room for 16).
template <int Cells, class Real>
__device__ __forceinline__ void kernelWeights(const KernelTable<Real>& table, Real fraction, Real* weight) {
  constexpr int room = Cells > 0 ? Cells : 16;
  const int cells = Cells > 0 ? Cells : table.cells;
  const Real t = Real(2) * fraction - Real(1);
#pragma unroll
  for (int j = 0; j < room; ++j)
    if (Cells > 0 || j < cells) weight[j] = table.coefficient[j];
  for (int p = 1; p <= table.degree; ++p) {
    const Real* row = table.coefficient + p * cells;
#pragma unroll
    for (int j = 0; j < room; ++j)
      if (Cells > 0 || j < cells) weight[j] = weight[j] * t + row[j];
  }
#pragma unroll
  for (int j = 0; j < room; ++j)
    if (j == cells - 1 && fraction >= table.edge && table.edge < Real(1)) weight[j] = 0;
}

__device__ __forceinline__ int wrapCell(int cell, int grid) { return cell >= grid ? cell - grid : cell; }

}  // namespace spokelab::cuda
