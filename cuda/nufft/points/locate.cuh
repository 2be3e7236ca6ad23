// Finds a point's place on the grid, and the kernel's weights at the cells it touches.
#pragma once

#include <type_traits>

#include "cuda/device/whole_numbers.cuh"
#include "cuda/nufft/points/bin_sort.h"

namespace spokelab::gpu {

template <class Real>
struct Located {
  int first;      // first cell touched, wrapped to [0, G)
  Real fraction;  // f in [0, 1]: cell first + j is u = f + j - W/2 away from the point
};

// First touched cell in [0, G), and the fraction f. Whole cells are taken from the product of k and
// G before it is rounded: an error of u G / 2 cells would turn the outer pixels of a long image by
// pi N u / 2.
__device__ __forceinline__ int firstCell(double k, int grid, double halfWidth, double& fraction) {
  const double cells = wholeDouble(grid), turns = k - nearestWhole(k);
  const double shifted = fma(turns, cells, wholeShift), whole = shifted - wholeShift;
  const double low = fma(turns, cells, -whole) - halfWidth;
  const double lowShifted = low + wholeShift, nearest = lowShifted - wholeShift;
  const bool below = nearest < low;
  fraction = nearest - low + (below ? 1.0 : 0.0);
  int cell = __double2loint(shifted) + __double2loint(lowShifted) + (below ? 1 : 0);
  if (cell < 0) cell += grid;  // G >= 2 ceil(W): once is enough
  if (cell >= grid) cell -= grid;
  return cell;
}

// A place is one fixed-point number of grid cells: the first touched cell above `bits` bits of the
// fraction f. Folding and scaling are done in double: a float coordinate times a grid of hundreds
// of cells would lose the accuracy that was promised. k: cycles per pixel.
template <class Word>
__device__ __forceinline__ Word fixedPlace(double k, int grid, double halfWidth, int bits) {
  double fraction = 0;
  const int cell = firstCell(k, grid, halfWidth, fraction);
  const Word one = Word(1) << bits;
  Word part;
  if constexpr (sizeof(Word) == 4)  // half a step less is rounded to the next
    part = Word(__double2loint(fma(fraction, wholeDouble(int(one)), wholeShift - 0.5)));
  else
    part = Word(fraction * double(one));
  return (Word(cell) << bits) | min(part, Word(one - 1));
}

// Reads a place back. Its fraction was cut off after `bits` bits, so half a step is added.
template <class Real, class Word>
__device__ __forceinline__ Located<Real> placed(Word place, int bits, Real step) {
  using Signed = std::make_signed_t<Word>;
  const auto part = Real(Signed(place & ((Word(1) << bits) - 1)));
  return {int(place >> bits), fma(part, step, Real(0.5) * step)};
}

// Point p of an order along dimension d.
template <class Real>
__device__ __forceinline__ Located<Real> placeOf(const OrderedPoints<Real>& points, int d, std::int64_t p) {
  const std::int64_t at = d * points.count + p;
  if constexpr (sizeof(Real) == 4)
    if (points.narrow) return placed<Real>(points.narrow[at], points.bits, points.step);
  return placed<Real>(points.wide[at], points.bits, points.step);
}

// A coordinate that is not finite is flagged and taken as 0: no index may leave the grid.
__device__ __forceinline__ double usable(double k, int* notFinite) {
  if (isfinite(k)) return k;
  *notFinite = 1;
  return 0;
}

// A fraction's place in the linear table: its row, and the distance to the next row.
template <class Real>
struct LinearPlace {
  const Real* row;
  Real part;
  int cells;
  __device__ __forceinline__ LinearPlace(const KernelTable<Real>& table, Real fraction) : cells(table.cells) {
    const Real at = fraction * Real(table.density);
    const int s = min(int(at), table.density - 1);
    row = table.lines + std::int64_t(s) * cells;
    part = at - Real(s);
  }
  __device__ __forceinline__ Real weight(int j) const {
    const Real low = __ldg(row + j);
    return low + part * (__ldg(row + cells + j) - low);
  }
};

// Weights of one point in one dimension: weight[j] = phi(f + j - W/2), j = 0 ... cells - 1. Cells
// is the compile-time ceil(W), or 0 where it is table.cells at run time (weight then needs room for
// maxCells). Unrolled: the terms of long polynomials, too. Coefficients at addresses of run time
// miss the cache of constants (12 cells in double, 1-D spreading on an H100: 2.61 ms against 1.11);
// kernels of more dimensions take up to five times as long with it.
template <int Cells, bool Unrolled = false, class Real>
__device__ __forceinline__ void kernelWeights(const KernelTable<Real>& table, Real fraction, Real* weight) {
  constexpr int room = Cells > 0 ? Cells : KernelTable<Real>::maxCells;
  const int cells = Cells > 0 ? Cells : table.cells;
  if (table.lines) {
    const LinearPlace<Real> place(table, fraction);
#pragma unroll
    for (int j = 0; j < room; ++j)
      if (Cells > 0 || j < cells) weight[j] = place.weight(j);
  } else if (Cells > 0 && table.degree == KernelTable<Real>::shortDegree) {
    // Constant indices: the multiply-adds take coefficients straight from the constant bank.
    const Real t = Real(2) * fraction - Real(1);
#pragma unroll
    for (int j = 0; j < room; ++j) weight[j] = table.coefficient[j];
#pragma unroll
    for (int p = 1; p <= KernelTable<Real>::shortDegree; ++p)
#pragma unroll
      for (int j = 0; j < room; ++j) weight[j] = weight[j] * t + table.coefficient[p * room + j];
  } else {
    const Real t = Real(2) * fraction - Real(1);
#pragma unroll
    for (int j = 0; j < room; ++j)
      if (Cells > 0 || j < cells) weight[j] = table.coefficient[j];
    if constexpr (Unrolled) {
#pragma unroll
      for (int p = 1; p <= KernelTable<Real>::maxDegree; ++p) {
        if (p > table.degree) break;
#pragma unroll
        for (int j = 0; j < Cells; ++j) weight[j] = weight[j] * t + table.coefficient[p * Cells + j];
      }
    } else {
      for (int p = 1; p <= table.degree; ++p) {
        const Real* row = table.coefficient + p * cells;
#pragma unroll
        for (int j = 0; j < room; ++j)
          if (Cells > 0 || j < cells) weight[j] = weight[j] * t + row[j];
      }
    }
  }
#pragma unroll
  for (int j = 0; j < room; ++j)
    if (j == cells - 1 && fraction >= table.edge && table.edge < Real(1)) weight[j] = 0;
}

// The same in N dimensions together: a coefficient is loaded once for all. Long polynomials in
// float go one dimension after the other: together, 42,000 points in 3-D took a fifth longer
// (H100), and many up to 4 % less.
template <int Cells, int N, class Real>
__device__ __forceinline__ void kernelWeights(const KernelTable<Real>& table, const Real (&fraction)[3],
                                              Real (&weight)[N][Cells]) {
  constexpr int degree = KernelTable<Real>::shortDegree;
  if (table.lines || (sizeof(Real) == 4 && table.degree != degree)) {
#pragma unroll
    for (int d = 0; d < N; ++d) kernelWeights<Cells>(table, fraction[d], weight[d]);
    return;
  }
  const auto place = [&](int d) { return Real(2) * fraction[d] - Real(1); };
  if (table.degree == degree) {
#pragma unroll
    for (int j = 0; j < Cells; ++j) {
#pragma unroll
      for (int d = 0; d < N; ++d) weight[d][j] = table.coefficient[j];
#pragma unroll
      for (int p = 1; p <= degree; ++p) {
        const Real c = table.coefficient[p * Cells + j];
#pragma unroll
        for (int d = 0; d < N; ++d) weight[d][j] = weight[d][j] * place(d) + c;
      }
    }
  } else if constexpr (sizeof(Real) == 8) {
#pragma unroll
    for (int j = 0; j < Cells; ++j)
#pragma unroll
      for (int d = 0; d < N; ++d) weight[d][j] = table.coefficient[j];
    for (int p = 1; p <= table.degree; ++p) {
      const Real* row = table.coefficient + p * Cells;
#pragma unroll
      for (int j = 0; j < Cells; ++j) {
        const Real c = row[j];
#pragma unroll
        for (int d = 0; d < N; ++d) weight[d][j] = weight[d][j] * place(d) + c;
      }
    }
  }
#pragma unroll
  for (int d = 0; d < N; ++d)
    if (fraction[d] >= table.edge && table.edge < Real(1)) weight[d][Cells - 1] = 0;
}

// One of these weights, phi(f + j - W/2), evaluated without the others.
template <int Cells, class Real>
__device__ __forceinline__ Real pieceWeight(const KernelTable<Real>& table, Real fraction, int j) {
  constexpr int shortDegree = KernelTable<Real>::shortDegree;
  const int cells = Cells > 0 ? Cells : table.cells;
  Real weight;
  if (table.lines) {
    weight = LinearPlace<Real>(table, fraction).weight(j);
  } else {
    const Real t = Real(2) * fraction - Real(1);
    weight = table.coefficient[j];
    if (Cells > 0 && table.degree == shortDegree) {
#pragma unroll
      for (int p = 1; p <= shortDegree; ++p) weight = weight * t + table.coefficient[p * Cells + j];
    } else {
      for (int p = 1; p <= table.degree; ++p) weight = weight * t + table.coefficient[p * cells + j];
    }
  }
  return j == cells - 1 && fraction >= table.edge && table.edge < Real(1) ? Real(0) : weight;
}

// Wraps a cell of [0, 2 grid) to [0, grid).
__device__ __forceinline__ int wrapCell(int cell, int grid) {
  return cell >= grid ? cell - grid : cell;
}

// Calls f(row, ix, weight) for every cell that a point touches, i in [0, cells) per dimension, x
// innermost; row(iy, iz) is called once for each row and its result handed to f. Weights along x
// and y stay in registers where Cells is known; those along z (and y where it is not) are evaluated
// as they are needed.
template <int Dims, int Cells, class Real, class Row, class F>
__device__ __forceinline__ void forEachCell(const KernelTable<Real>& table, const Real (&fraction)[3],
                                            Row&& row, F&& f) {
  constexpr int room = Cells > 0 ? Cells : KernelTable<Real>::maxCells;
  const int cells = Cells > 0 ? Cells : table.cells;
  Real wx[room];
  kernelWeights<Cells>(table, fraction[0], wx);
  const auto alongX = [&](int iy, int iz, Real weight) {
    const auto at = row(iy, iz);
#pragma unroll
    for (int ix = 0; ix < room; ++ix)
      if (Cells > 0 || ix < cells) f(at, ix, weight * wx[ix]);
  };
  if constexpr (Dims == 1) {
    alongX(0, 0, Real(1));
  } else if constexpr (Cells == 0) {
    for (int iz = 0; iz < (Dims == 3 ? cells : 1); ++iz) {
      const Real wz = Dims == 3 ? pieceWeight<Cells>(table, fraction[2], iz) : Real(1);
      for (int iy = 0; iy < cells; ++iy) alongX(iy, iz, wz * pieceWeight<Cells>(table, fraction[1], iy));
    }
  } else {
    Real wy[room];
    kernelWeights<Cells>(table, fraction[1], wy);
#pragma unroll 1
    for (int iz = 0; iz < (Dims == 3 ? cells : 1); ++iz) {
      const Real wz = Dims == 3 ? pieceWeight<Cells>(table, fraction[2], iz) : Real(1);
#pragma unroll
      for (int iy = 0; iy < room; ++iy) alongX(iy, iz, wz * wy[iy]);
    }
  }
}

// The largest ceil(W) with an instance of interpolation by one thread a point. Float rarely needs
// more than 8. Loops with run-time bounds evaluate the kernel along y again for each row, and take
// 1.05 to 2.6 times as long (double, 9 to 16 cells, FFT included, H100).
template <class Real>
inline constexpr int ownLoops = sizeof(Real) == 4 ? 8 : KernelTable<Real>::maxCells;

// Sum of weight x value(row, ix) over the cells that a point touches, row(iy, iz) as above: along x
// first, so that the weights of y and z are multiplied once a row.
template <int Dims, int Cells, class Real, class Row, class Value>
__device__ __forceinline__ Complex<Real> weightedSum(const KernelTable<Real>& table,
                                                     const Real (&fraction)[3], Row&& row, Value&& value) {
  constexpr int room = Cells > 0 ? Cells : KernelTable<Real>::maxCells;
  const int cells = Cells > 0 ? Cells : table.cells;
  Complex<Real> sum{0, 0};
  const auto addRow = [&](const Real* wx, int iy, int iz, Real weight) {
    const auto at = row(iy, iz);
    Complex<Real> line{0, 0};
#pragma unroll
    for (int ix = 0; ix < room; ++ix)
      if (Cells > 0 || ix < cells) {
        const Complex<Real> v = value(at, ix);
        line.x += v.x * wx[ix];
        line.y += v.y * wx[ix];
      }
    sum.x += line.x * weight;
    sum.y += line.y * weight;
  };
  if constexpr (Dims == 1 || Cells == 0) {
    Real wx[room];
    kernelWeights<Cells>(table, fraction[0], wx);
    for (int iz = 0; iz < (Dims == 3 ? cells : 1); ++iz) {
      const Real wz = Dims == 3 ? pieceWeight<Cells>(table, fraction[2], iz) : Real(1);
      for (int iy = 0; iy < (Dims > 1 ? cells : 1); ++iy)
        addRow(wx, iy, iz, Dims > 1 ? wz * pieceWeight<Cells>(table, fraction[1], iy) : wz);
    }
  } else {
    constexpr bool flat = Dims == 3 && Cells <= 4;  // 64 cells: no loop along z
    Real w[flat ? 3 : 2][Cells];
    kernelWeights<Cells>(table, fraction, w);
#pragma unroll(flat ? Cells : 1)
    for (int iz = 0; iz < (Dims == 3 ? cells : 1); ++iz) {
      Real wz = 1;
      if constexpr (flat)
        wz = w[2][iz];
      else if constexpr (Dims == 3)
        wz = pieceWeight<Cells>(table, fraction[2], iz);
#pragma unroll
      for (int iy = 0; iy < room; ++iy) addRow(w[0], iy, iz, wz * w[1][iy]);
    }
  }
  return sum;
}

}  // namespace spokelab::gpu
