// Sums of a crowded tile in two levels (kernel/crowding.h): a run of points is spread into cells of
// the transform's precision, then the cells that it touched are moved to sums in double. The sums
// are rounded once, when the tile is done.
//
// Runs are as long as the boxes that they touch allow: moving a box costs about as much as a few
// points, and points that lie close together touch a small one.
#pragma once

#include <complex>
#include <vector>

#include "engine/core/array.h"
#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/points/offset_split.h"
#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

// First cells of some points: both ends included.
struct CellBox {
  CellPosition first{~0U, ~0U, ~0U}, last;

  void add(const CellPosition& at) { add(CellBox{at, at}); }
  void add(const CellBox& other);
  // Cells of the box that the kernels of such points reach.
  std::int64_t touched(int dims, int kernelCells) const;
};

// The end of the run that begins with chunk `first`: the chunk behind its last. The chunks are
// boxes of pointsPerChunk points each.
std::size_t endOfRun(const CellBox* chunks, std::size_t first, std::size_t count, int dims, int kernelCells,
                     CellBox& run);

// Points [begin, end) of the sorted points, all of one tile.
struct CrowdedRun {
  std::int64_t begin, end;
  CellBox box;
};

// Points of a chunk: runs are made of whole chunks.
inline constexpr std::int64_t pointsPerChunk = 32;

// Cuts the points [begin, end) of one tile into runs.
template <class Real>
std::vector<CrowdedRun> crowdedRuns(const SortedPoints<Real>& points, const GridLayout& layout,
                                    int kernelCells, std::int64_t begin, std::int64_t end);

// Prefetches the samples of the first points of [begin, end).
template <class Real>
void prefetchSamples(const SortedPoints<Real>& points, std::int64_t begin, std::int64_t end,
                     const std::complex<Real>* samples);

// The cells of a tile in a grid or a copy; strides count complex numbers.
template <class Real>
struct TileCells {
  std::complex<Real>* first;
  std::int64_t strideY, strideZ;
};

template <class Real>
class CrowdedSum {
 public:
  CrowdedSum(int dims, int kernelCells, MoveFunction<Real> move)
      : dims_(dims), kernelCells_(kernelCells), move_(move) {}

  // Begins with zero sums for a tile of `size` cells with `perCell` numbers each.
  void begin(const Index3& size, int perCell);
  // Adds the cells that points with first cells in the box touched to the sums, and clears them.
  void take(const TileCells<Real>& cells, const CellBox& box);
  // Adds the sums to the cells and clears them.
  void finish(const TileCells<Real>& cells);

 private:
  // Calls work(numbers of the cells, sums, count) for the rows that a box touches, in real numbers.
  template <class Work>
  void forRows(const TileCells<Real>& cells, const CellBox& box, const Work& work);

  int dims_, kernelCells_, perCell_ = 1;
  MoveFunction<Real> move_;
  Index3 size_{1, 1, 1};
  CellBox touchedCells_;
  Buffer<double> sums_;
};

extern template class CrowdedSum<float>;
extern template class CrowdedSum<double>;

}  // namespace spokelab
