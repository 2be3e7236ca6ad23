// How tensor columns lie on a problem's grid, and the kernel as a polynomial in q = 1 - (2u/W)^2
// (tensor.h).
#pragma once

#include <cstdint>

#include "engine/nufft/kernel/kernel.h"

namespace spokelab::gpu {

// Cells of a column in x and in y: two 8-row fragments of a matrix instruction.
inline constexpr int tensorColumn = 16;
// Upper bound of the kernel polynomial's coefficients.
inline constexpr int maxTensorTerms = 24;
// Upper bound of the points of a plan: tasks count them in 32-bit integers.
inline constexpr std::int64_t maxTensorPoints = std::int64_t(1) << 31;

// Everything that depends on the problem but not on the points.
template <class Real>
struct TensorLayout {
  int dims = 3;
  int gridX = 0, gridY = 0, gridZ = 1;
  int cells = 0;  // ceil(W)
  // A column owns the points whose first touched cell is one of its first blockY x blockX cells.
  int blockX = 0, blockY = 0;
  int columnsX = 0, columnsY = 0;
  Real step = 0;  // 2 / W
  double width = 0;
  // Float: fp16 pairs instead of heads and tails.
  bool half = false;
  // Coefficients used, highest power of q first.
  int terms = 0;
  Real coefficient[maxTensorTerms] = {};

  std::int64_t columns() const { return std::int64_t(columnsX) * columnsY; }
  std::int64_t sortKeys() const { return columns() * gridZ; }
  std::int64_t gridCells() const { return std::int64_t(gridX) * gridY * gridZ; }
};

// Whether the kernel is an entire function of q, so that one short polynomial holds over its
// support.
bool isEntire(KernelType kernel);

template <class Real>
bool tensorSupports(int dims, const Index3& grid, KernelType kernel, double width, std::int64_t points);

// half: use fp16 pairs (float only).
template <class Real>
TensorLayout<Real> tensorLayout(int dims, const Index3& grid, const Kernel& kernel, bool half);

}  // namespace spokelab::gpu
