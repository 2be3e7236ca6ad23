#include "cuda/nufft/spread/stored_matrix.h"

#include <cub/device/device_scan.cuh>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/locate.cuh"

namespace spokelab::gpu {
namespace {

constexpr const char* precomputing = "precomputing the matrix";
constexpr int lanes = 32;  // that share a row of the transpose: a warp

// First cell of a row of cells that a point touches.
__device__ __forceinline__ int rowOfCells(const int (&cell)[3], int iy, int iz, int3 size) {
  return (wrapCell(cell[2] + iz, size.z) * size.y + wrapCell(cell[1] + iy, size.y)) * size.x;
}

// Rows of Gamma: every point has the same number of entries.
template <class Real, int Dims, class Offset, class Column>
__global__ void fillForward(const __grid_constant__ KernelTable<Real> table,
                            const __grid_constant__ OrderedPoints<Real> points, int3 size, int perPoint,
                            Offset* rowStart, Column* column, Real* value) {
  const std::int64_t p = globalThread();
  if (p > points.count) return;
  rowStart[p] = Offset(p * perPoint);
  if (p == points.count) return;
  int cell[3] = {};
  Real fraction[3] = {};
  for (int d = 0; d < Dims; ++d) {
    const auto place = placeOf(points, d, p);
    cell[d] = place.first;
    fraction[d] = place.fraction;
  }
  std::int64_t at = p * perPoint;
  forEachCell<Dims, 0>(
      table, fraction, [&](int iy, int iz) { return rowOfCells(cell, iy, iz, size); },
      [&](int row, int ix, Real weight) {
        column[at] = row + wrapCell(cell[0] + ix, size.x);
        value[at] = weight;
        ++at;
      });
}

// Bins of one dimension that hold the first cells of all points that touch a cell: `count` of them
// from `first` on, round the grid's edge.
struct BinRange {
  int first = 0, count = 1;
};

__device__ __forceinline__ BinRange binsThatReach(int cell, int grid, int bin, int bins, int width) {
  int low = cell - (width - 1);
  if (low < 0) low += grid;  // G >= 2 ceil(W)
  const int first = low / bin;
  return {first, (cell / bin - first + bins) % bins + 1};
}

// The distance of a cell from the first cell that a point touches.
__device__ __forceinline__ int cellsFrom(int first, int cell, int grid) {
  return cell >= first ? cell - first : cell - first + grid;
}

// Rows of the transpose, a warp each: it looks through the points of the bins that reach the cell,
// and takes those that touch it in the order in which they lie. Counting, row `cell` of rowStart
// gets the number of its entries, and the last row 0. Else rowStart is given, and the entries are
// written.
template <class Real, int Dims, bool Counting, class Offset, class Column>
__global__ void __launch_bounds__(threadsPerBlock)
    fillTranspose(const __grid_constant__ KernelTable<Real> table,
                  const __grid_constant__ OrderedPoints<Real> points, int3 size, std::int64_t cells,
                  Offset* rowStart, Column* column, Real* value) {
  const std::int64_t row = globalThread() / lanes;
  const int lane = threadIdx.x % lanes;
  if (row > cells) return;
  if (row == cells) {
    if (Counting && lane == 0) rowStart[row] = 0;
    return;
  }
  const int grid[3] = {size.x, size.y, size.z};
  const int cell[3] = {int(row % size.x), int(row / size.x % size.y),
                       int(row / (std::int64_t(size.x) * size.y))};
  BinRange range[3];
#pragma unroll
  for (int d = 0; d < Dims; ++d)
    range[d] = binsThatReach(cell[d], grid[d], points.bin[d], points.bins[d], table.cells);
  const Offset begin = Counting ? 0 : rowStart[row];
  Offset end = begin;
  for (int iz = 0; iz < range[2].count; ++iz)
    for (int iy = 0; iy < range[1].count; ++iy) {
      const int bz = wrapCell(range[2].first + iz, points.bins[2]),
                by = wrapCell(range[1].first + iy, points.bins[1]);
      const std::int64_t line = (std::int64_t(bz) * points.bins[1] + by) * points.bins[0];
      // Bins beside each other along x hold points beside each other.
      for (int bx = range[0].first, left = range[0].count; left > 0; bx = 0) {
        const int together = min(left, points.bins[0] - bx);
        left -= together;
        const std::int64_t stop = points.binStart[line + bx + together];
        for (std::int64_t from = points.binStart[line + bx]; from < stop; from += lanes) {
          const std::int64_t p = from + lane;
          bool touches = p < stop;
#pragma unroll
          for (int d = 0; d < Dims; ++d)
            touches = touches && cellsFrom(placeOf(points, d, p).first, cell[d], grid[d]) < table.cells;
          const unsigned all = __ballot_sync(~0u, touches);
          if (!Counting && touches) column[end + __popc(all & ((1u << lane) - 1))] = Column(p);
          end += __popc(all);
        }
      }
    }
  if constexpr (Counting) {
    if (lane == 0) rowStart[row] = end;
  } else {
    __syncwarp();
    for (Offset i = begin + lane; i < end; i += lanes) {
      const std::int64_t p = column[i];
      Real weight = 1;
#pragma unroll
      for (int d = Dims - 1; d >= 0; --d) {
        const auto place = placeOf(points, d, p);
        weight *= pieceWeight<0>(table, place.fraction, cellsFrom(place.first, cell[d], grid[d]));
      }
      value[i] = weight;
    }
  }
}

}  // namespace

template <class Real, class Offset, class Column>
template <int Dims>
void StoredMatrix<Real, Offset, Column>::fillRows(const MethodSetup<Real>& setup,
                                                  const OrderedPoints<Real>& points, GridDirection direction,
                                                  cudaStream_t stream) {
  const int3 size = setup.gridSize();
  const std::int64_t cells = setup.cells();
  if (direction == GridDirection::interpolate) {
    rowStart_.resize(points.count + 1);
    fillForward<Real, Dims><<<blocksFor(points.count + 1), threadsPerBlock, 0, stream>>>(
        setup.table, points, size, int(entriesPerPoint(setup)), rowStart_.data(), column_.data(),
        value_.data());
    checkLaunch(precomputing);
    return;
  }
  rowStart_.resize(cells + 1);
  const unsigned blocks = blocksFor((cells + 1) * lanes);
  fillTranspose<Real, Dims, true><<<blocks, threadsPerBlock, 0, stream>>>(
      setup.table, points, size, cells, rowStart_.data(), column_.data(), value_.data());
  checkLaunch(precomputing);
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, rowStart_.data(), rowStart_.data(), cells + 1, stream),
        precomputing);
  scratch_.resize(std::int64_t(bytes));
  check(cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, rowStart_.data(), rowStart_.data(), cells + 1,
                                      stream),
        precomputing);
  fillTranspose<Real, Dims, false><<<blocks, threadsPerBlock, 0, stream>>>(
      setup.table, points, size, cells, rowStart_.data(), column_.data(), value_.data());
  checkLaunch(precomputing);
}

template <class Real, class Offset, class Column>
void StoredMatrix<Real, Offset, Column>::fill(const MethodSetup<Real>& setup,
                                              const OrderedPoints<Real>& points, GridDirection direction,
                                              cudaStream_t stream) {
  const std::int64_t entries = points.count * entriesPerPoint(setup);
  column_.resize(entries);
  value_.resize(entries);
  switch (setup.dims) {
    case 1:
      fillRows<1>(setup, points, direction, stream);
      break;
    case 2:
      fillRows<2>(setup, points, direction, stream);
      break;
    default:
      fillRows<3>(setup, points, direction, stream);
  }
  const bool spreads = direction == GridDirection::spread;
  matrix_ = {spreads ? setup.cells() : points.count,
             spreads ? points.count : setup.cells(),
             entries,
             rowStart_.data(),
             column_.data(),
             value_.data()};
}

template class StoredMatrix<float, int, int>;
template class StoredMatrix<double, int, int>;
template class StoredMatrix<float, std::int64_t, int>;
template class StoredMatrix<double, std::int64_t, int>;
template class StoredMatrix<float, std::int64_t, std::int64_t>;
template class StoredMatrix<double, std::int64_t, std::int64_t>;

}  // namespace spokelab::gpu
