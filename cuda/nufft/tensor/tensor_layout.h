// The layout of tensor columns on a problem's grid, and the kernel's polynomials (tensor.h).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/nufft/kernel/kernel.h"

namespace spokelab::gpu {

// Cells of a column in x and in y: two 8-row fragments of a matrix instruction, or four.
inline constexpr int tensorColumn = 16, wideTensorColumn = 32;
// True if columns of 32 x 32 cells exist, too. Wide kernels own few cells of the smaller columns,
// which then hold few points each.
template <class Real>
constexpr bool hasWideColumns(int dims, int cells) {
  return sizeof(Real) == 8 && dims == 2 && cells > tensorColumn / 2;
}
// True if the points of a column can be divided by their cells in x (TensorLayout::classes).
template <class Real>
constexpr bool hasClasses(int dims, int cells) {
  return sizeof(Real) == 8 && dims == 3 && cells <= tensorColumn / 2 + 1;
}
// Upper bound of the points of a plan: tasks count them in 32-bit integers.
inline constexpr std::int64_t maxTensorPoints = std::int64_t(1) << 31;

// Everything that depends on the problem, and on the number of points, but not on where they are.
template <class Real>
struct TensorLayout {
  int dims = 3;
  int gridX = 0, gridY = 0, gridZ = 1;
  int cells = 0;   // ceil(W)
  int column = 0;  // cells of a column in x and in y
  // A column owns the points whose first touched cell is one of its first blockY x blockX cells.
  int blockX = 0, blockY = 0;
  int columnsX = 0, columnsY = 0;
  // 2 where the points of a column and z cell are two classes, one after the other: those whose
  // first touched cell in x is before splitX, and the others. None touches more than three quarters
  // of the column's cells.
  int classes = 1;
  Real step = 0;  // 2 / W
  double width = 0;
  // Float: fp16 pairs instead of heads and tails.
  bool half = false;
  // Float: powers of q, highest first. Double: [pair of cells][power of x], lowest first; pair p is
  // the cells p and W - 1 - p of ceil(W) cells, whose middle is x away from the point.
  std::vector<Real> coefficient;

  std::int64_t columns() const { return std::int64_t(columnsX) * columnsY; }
  std::int64_t sortKeys() const { return columns() * gridZ * classes; }
  int splitX() const { return (blockX + 1) / 2; }
  std::int64_t gridCells() const { return std::int64_t(gridX) * gridY * gridZ; }
};

// True if the kernel is an entire function of q, so that one short polynomial holds over its
// support.
bool isEntire(KernelType kernel);

// True if the tensor methods serve this grid, kernel and number of points (limits in tensor.h).
template <class Real>
bool tensorSupports(int dims, const Index3& grid, KernelType kernel, double width, std::int64_t points);

// half: use fp16 pairs (float only). The columns are for few points.
template <class Real>
TensorLayout<Real> tensorLayout(int dims, const Index3& grid, const Kernel& kernel, bool half);
// Chooses the columns and classes that take less time for this number of points.
template <class Real>
void arrangeColumns(TensorLayout<Real>& layout, std::int64_t points);

}  // namespace spokelab::gpu
