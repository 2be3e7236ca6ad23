// The interpolation matrix of a plan's points in device memory, as compressed rows: Gamma [points,
// cells], with a row of ceil(W)^d entries for each point, or its transpose [cells, points], with a
// row for each cell, of any length. Each direction of a plan stores one matrix, so both run through
// rows without atomics. Rows and columns follow the order of points (matrixBins). A row of the
// transpose holds its points in a fixed order, so its sums repeat bit by bit. Source: [gnufftw]
// IV.B.3.
#pragma once

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/bin_sort.h"

namespace spokelab::gpu {

template <class Real, class Offset, class Column>
struct CsrMatrix {
  std::int64_t rows = 0, columns = 0, entries = 0;
  const Offset* rowStart = nullptr;
  const Column* column = nullptr;
  const Real* value = nullptr;
};

// Small bins: a cell looks through the points of all bins that may reach it.
template <class Real>
std::array<int, 3> matrixBins(const MethodSetup<Real>& setup) {
  return binsOr(setup, setup.dims == 1   ? std::array<int, 3>{64, 1, 1}
                       : setup.dims == 2 ? std::array<int, 3>{8, 8, 1}
                                         : std::array<int, 3>{8, 4, 4});
}

template <class Real>
std::int64_t entriesPerPoint(const MethodSetup<Real>& setup) {
  return std::int64_t(setup.touchedCells() + 0.5);
}

// Largest index, and largest number of entries, of 32-bit indices.
inline constexpr std::int64_t maxNarrowIndex = INT32_MAX;

// Why a grid cannot have a matrix; empty: it can.
template <class Real>
std::string matrixRefusal(const MethodSetup<Real>& setup) {
  return setup.cells() >= maxNarrowIndex ? "the grid has more cells than 32-bit indices hold" : "";
}

// Offset: counts entries. Column: counts points or cells.
template <class Real, class Offset, class Column>
class StoredMatrix {
 public:
  // points: ordered by matrixBins. At least one. Allocates where it has to grow.
  void fill(const MethodSetup<Real>& setup, const OrderedPoints<Real>& points, GridDirection direction,
            cudaStream_t stream);
  const CsrMatrix<Real, Offset, Column>& matrix() const { return matrix_; }
  std::int64_t memory() const {
    return rowStart_.bytes() + column_.bytes() + value_.bytes() + scratch_.bytes();
  }
  static std::int64_t estimate(const MethodSetup<Real>& setup, GridDirection direction, std::int64_t points) {
    constexpr std::int64_t scanBytes = 1 << 20;
    const std::int64_t rows = direction == GridDirection::spread ? setup.cells() : points;
    return (rows + 1) * std::int64_t(sizeof(Offset)) + scanBytes +
           points * entriesPerPoint(setup) * std::int64_t(sizeof(Column) + sizeof(Real));
  }

 private:
  template <int Dims>
  void fillRows(const MethodSetup<Real>& setup, const OrderedPoints<Real>& points, GridDirection direction,
                cudaStream_t stream);

  CsrMatrix<Real, Offset, Column> matrix_;
  DeviceBuffer<Offset> rowStart_;
  DeviceBuffer<Column> column_;
  DeviceBuffer<Real> value_;
  DeviceBuffer<char> scratch_;
};

}  // namespace spokelab::gpu
