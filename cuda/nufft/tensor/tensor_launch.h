// Instantiates and launches the tensor kernels (tensor.h). Their template parameters:
//   cells, W   ceil(W), the cells that a kernel reaches along a dimension
//   slabs      planes of a column that a warp holds in registers: ceil(W) in 3-D, 1 in 2-D
//   half       float only: operands are fp16 pairs, not heads and tails
//   column     double only: cells of a column in x and in y
//   classes    double only: classes that the points of a column and z cell are divided into
#pragma once

#include <type_traits>

#include "cuda/nufft/tensor/tensor.h"

namespace spokelab::gpu {

// Smallest and largest ceil(W) that are instantiated.
inline constexpr int tensorWidthsFloat[2] = {2, 8};
inline constexpr int tensorWidthsDouble[2] = {5, 16};  // 3-D: to 15

// Coefficients of a kernel polynomial for ceil(W) cells. Its error is below a tenth of the error
// that this width can reach (aliasing; float: at alpha = 2, double: up to 3, or rounding), and
// below fp16's error where pairs are used.
template <class Real>
constexpr int tensorTerms(int cells, bool half) {
  if constexpr (sizeof(Real) == 8)
    return cells > 7 ? cells + 2 : cells > 6 ? 10 : 9;
  else
    return half ? cells + (cells > 5 ? 2 : 3) : cells + (cells > 6 ? 5 : 4);
}

// Calls run(std::integral_constant<int, cells>); nothing for cells that are not instantiated.
template <class Run>
void tensorFloatWidth(int cells, const Run& run) {
  switch (cells) {
    case 2:
      return run(std::integral_constant<int, 2>{});
    case 3:
      return run(std::integral_constant<int, 3>{});
    case 4:
      return run(std::integral_constant<int, 4>{});
    case 5:
      return run(std::integral_constant<int, 5>{});
    case 6:
      return run(std::integral_constant<int, 6>{});
    case 7:
      return run(std::integral_constant<int, 7>{});
    case 8:
      return run(std::integral_constant<int, 8>{});
  }
}
template <class Run>
void tensorDoubleWidth(int cells, const Run& run) {
  switch (cells) {
    case 5:
      return run(std::integral_constant<int, 5>{});
    case 6:
      return run(std::integral_constant<int, 6>{});
    case 7:
      return run(std::integral_constant<int, 7>{});
    case 8:
      return run(std::integral_constant<int, 8>{});
    case 9:
      return run(std::integral_constant<int, 9>{});
    case 10:
      return run(std::integral_constant<int, 10>{});
    case 11:
      return run(std::integral_constant<int, 11>{});
    case 12:
      return run(std::integral_constant<int, 12>{});
    case 13:
      return run(std::integral_constant<int, 13>{});
    case 14:
      return run(std::integral_constant<int, 14>{});
    case 15:
      return run(std::integral_constant<int, 15>{});
    case 16:
      return run(std::integral_constant<int, 16>{});
  }
}

// Calls run(W, slabs, half), integral constants, for a layout in float.
template <class Run>
void tensorFloatForm(const TensorLayout<float>& layout, const Run& run) {
  tensorFloatWidth(layout.cells, [&](auto w) {
    constexpr std::integral_constant<int, 1> planar;
    if (layout.dims == 3 && layout.half)
      run(w, w, std::true_type{});
    else if (layout.dims == 3)
      run(w, w, std::false_type{});
    else if (layout.half)
      run(w, planar, std::true_type{});
    else
      run(w, planar, std::false_type{});
  });
}

// Calls run(W, slabs, column, classes), integral constants, for a layout in double.
template <class Run>
void tensorDoubleForm(const TensorLayout<double>& layout, const Run& run) {
  tensorDoubleWidth(layout.cells, [&](auto w) {
    constexpr int W = decltype(w)::value;
    constexpr std::integral_constant<int, 1> one;
    constexpr std::integral_constant<int, 2> two;
    constexpr std::integral_constant<int, tensorColumn> narrow;
    constexpr std::integral_constant<int, wideTensorColumn> wide;
    if constexpr (hasWideColumns<double>(2, W))
      if (layout.column == wideTensorColumn) return run(w, one, wide, one);
    if constexpr (hasClasses<double>(3, W))
      if (layout.classes == 2) return run(w, w, narrow, two);
    if constexpr (W < tensorColumn) layout.dims == 3 ? run(w, w, narrow, one) : run(w, one, narrow, one);
  });
}

// Coils that a warp takes at a time in float. In 2-D, four coils are 1.2 to 1.9 times faster a coil
// than one (H200, 8 coils). In 3-D registers are short. In spreading a slab takes 16 registers a
// coil; two coils leave too few warps and are slower (0.85 to 1.0 times; tensorSpreadCoils has the
// faster way). In interpolation with pairs a slab takes 8; two coils are 1.2 times faster on radial
// points, and 6 % slower on dense random points, where scattered writes take most of the time.
template <bool Spread>
constexpr int tensorCoils(int cells, int slabs, bool half) {
  constexpr int mostCells = 6;
  if (slabs == 1) return 4;
  return !Spread && half && cells <= mostCells ? 2 : 1;
}

// Coils whose warps share a block, and the kernel values of its points, in double: in 2-D with
// small columns. H100, an execution with groups of four, of three and of two coils: eight coils of
// 512^2 pixels 0.70, 0.73, 0.70 ms in type 1 and 0.87, 0.83, 0.77 in type 2 (8 cells), 1.38, 1.58,
// 1.39 and 0.93, 0.99, 0.96 (13 cells); three coils of 544^2 (12 cells) 1.9 ms as one group, 2.0 as
// two and one in type 1, 1.2 and 1.5 in type 2. Large columns gain nothing, and 3-D from 3 % less
// to 21 % more with two coils.
template <bool Spread>
constexpr int tensorCoilsDouble(int cells, int slabs, int column) {
  if (slabs > 1 || column > tensorColumn) return 1;
  return Spread || cells > tensorColumn / 2 ? 4 : 2;
}

// Warps of a block of the float kernels, one task a warp. Tiles of 2-D problems need few registers,
// and a multiprocessor takes at most 32 blocks, so that blocks of one warp would leave it half
// empty; in 3-D registers are the limit.
constexpr int tensorWarps(int slabs) {
  return slabs == 1 ? 4 : 1;
}

// Blocks to launch: enough for every resident slot of the device to be refilled a few times,
// because blocks that end early are how the hardware balances the tasks; never more than there can
// be tasks.
int tensorBlocks(const void* kernel, int threads, int taskLimit, std::size_t sharedBytes = 0);
inline constexpr int tasksPerSlot = 4;

// Does tensorSpread for the first coils of a batch, by a kernel that serves several at once, and
// returns their number. The caller spreads the others. 0: no such kernel, nothing is done.
int tensorSpreadCoils(const TensorLayout<float>& layout, const TensorPoints<float>& points, const float2* c,
                      float2* grid, int batch, const float* largest, cudaStream_t stream);

}  // namespace spokelab::gpu
