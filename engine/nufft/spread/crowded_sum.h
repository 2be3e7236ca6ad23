// Sums of a crowded tile in two levels (kernel/crowding.h): a run of points is spread into cells of
// the transform's precision, the cells that it touched are added to sums in double and cleared. The
// sums are rounded once, when the tile is done.
//
// Runs are as long as the boxes that they touch allow: adding a box costs about as much as a few
// points, and points that lie close together touch a small one.
#pragma once

#include <complex>

#include "engine/core/array.h"
#include "engine/nufft/points/offset_split.h"
#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

// First cells of some points: both ends included.
struct CellBox {
  CellPosition first{~0U, ~0U, ~0U}, last;

  void add(const CellPosition& at) { add(CellBox{at, at}); }
  void add(const CellBox& other);
  // Cells that the points touch.
  std::int64_t touched(int dims, int kernelCells) const;
};

// Where a run that begins with chunk `first` ends: the chunk behind its last. The chunks are boxes
// of CrowdedSum::pointsPerChunk points each.
std::size_t endOfRun(const CellBox* chunks, std::size_t first, std::size_t count, int dims, int kernelCells,
                     CellBox& run);

template <class Real>
class CrowdedSum {
 public:
  using Complex = std::complex<Real>;
  static constexpr std::int64_t pointsPerChunk = 32;

  CrowdedSum(int dims, int kernelCells, MoveFunction<Real> move)
      : dims_(dims), kernelCells_(kernelCells), move_(move) {}

  // Cells of a tile, all zero: rows of size[0] cells with so many numbers each.
  void begin(const Index3& size, int perCell);
  Complex* cells() { return cells_.data(); }
  // Adds the cells that points with first cells in the box touched to the sums, and clears them.
  void add(const CellBox& box);
  // Adds the sums to a grid or copy of the tile's cells, whose strides count numbers; clears them.
  void finish(Complex* to, std::int64_t strideY, std::int64_t strideZ);

 private:
  // Calls work(row, begin, end) for the rows of the cells that a box touches, in cells.
  template <class Work>
  void forRows(const CellBox& box, const Work& work) const;

  int dims_, kernelCells_, perCell_ = 1;
  MoveFunction<Real> move_;
  Index3 size_{1, 1, 1};
  CellBox all_;
  Buffer<Complex> cells_;
  Buffer<double> sums_;
};

extern template class CrowdedSum<float>;
extern template class CrowdedSum<double>;

}  // namespace spokelab
