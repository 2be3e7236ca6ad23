// The common part of both directions of the method `cell`: 1-D, points sorted by cell, one kernel
// for each width.
#pragma once

#include <string>

#include "cuda/nufft/method.h"

namespace spokelab::gpu {

// PointOrders sorts 1-D points by bins of one cell in one step with their places.
inline constexpr std::array<int, 3> cellBins{1, 1, 1};

// Why the method cannot serve a setup, or empty.
template <class Real>
std::string cellRefusal(const MethodSetup<Real>& setup) {
  return setup.dims == 1 ? std::string() : "it sorts points along one dimension";
}

// Calls f.template operator()<Cells>() with Cells = cells, from 2 to maxCells.
template <class F, int Cells = KernelTable<float>::maxCells>
void dispatchWidth(int cells, F&& f) {
  if constexpr (Cells > 2)
    if (cells != Cells) return dispatchWidth<F, Cells - 1>(cells, std::forward<F>(f));
  f.template operator()<Cells>();
}

}  // namespace spokelab::gpu
