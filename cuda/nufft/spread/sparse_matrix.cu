// Full precomputation: all weights of all points in a sparse matrix. Gamma [points, cells]
// interpolates, its transpose [cells, points] spreads; each direction keeps its own, so either can
// be chosen alone. Rows and columns of points are bin-sorted; samples are gathered and scattered
// through the permutation. The values are real and the vectors complex: a group of lanes takes a
// row and reads each entry once for both parts (cuSPARSE's product with two columns, tried on an
// H100 with 2.1 million points, took 8 to 10 times as long). Source: [gnufftw] IV.B.3.
#include <cub/device/device_scan.cuh>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/points/locate.cuh"

namespace spokelab::gpu {
namespace {

template <class Real, int Dims>
__device__ __forceinline__ void locatePoint(const OrderedPoints<Real>& points, std::int64_t p, int (&cell)[3],
                                            Real (&fraction)[3]) {
  for (int d = 0; d < Dims; ++d) {
    const auto place = placeOf(points, d, p);
    cell[d] = place.first;
    fraction[d] = place.fraction;
  }
}

// First cell of a row of cells that a point touches.
__device__ __forceinline__ int rowOfCells(const int (&cell)[3], int iy, int iz, int3 size) {
  return (wrapCell(cell[2] + iz, size.z) * size.y + wrapCell(cell[1] + iy, size.y)) * size.x;
}

// Rows of Gamma: every point has the same number of entries.
template <class Real, int Dims>
__global__ void fillForward(const __grid_constant__ KernelTable<Real> table,
                            const __grid_constant__ OrderedPoints<Real> points, int3 size, int perPoint,
                            int* rowStart, int* column, Real* value) {
  const std::int64_t p = globalThread();
  if (p > points.count) return;
  rowStart[p] = int(p * perPoint);
  if (p == points.count) return;
  int cell[3] = {};
  Real fraction[3] = {};
  locatePoint<Real, Dims>(points, p, cell, fraction);
  std::int64_t at = p * perPoint;
  forEachCell<Dims, 0>(
      table, fraction, [&](int iy, int iz) { return rowOfCells(cell, iy, iz, size); },
      [&](int row, int ix, Real weight) {
        column[at] = row + wrapCell(cell[0] + ix, size.x);
        value[at] = weight;
        ++at;
      });
}

// Rows of the transpose: entries of each cell are counted, then put where the cell's cursor stands.
template <class Real, int Dims, bool Count>
__global__ void fillTranspose(const __grid_constant__ KernelTable<Real> table,
                              const __grid_constant__ OrderedPoints<Real> points, int3 size, int* cursor,
                              int* column, Real* value) {
  const std::int64_t p = globalThread();
  if (p >= points.count) return;
  int cell[3] = {};
  Real fraction[3] = {};
  locatePoint<Real, Dims>(points, p, cell, fraction);
  forEachCell<Dims, 0>(
      table, fraction, [&](int iy, int iz) { return rowOfCells(cell, iy, iz, size); },
      [&](int row, int ix, Real weight) {
        const int at = atomicAdd(cursor + row + wrapCell(cell[0] + ix, size.x), 1);
        if constexpr (!Count) {
          column[at] = int(p);
          value[at] = weight;
        }
      });
}

template <class Real>
__global__ void gatherSamples(const Complex<Real>* from, Complex<Real>* to, const std::uint32_t* permutation,
                              std::int64_t count) {
  const std::int64_t p = globalThread();
  if (p < count) to[p] = from[permutation[p]];
}

// CSR; 32-bit indices.
template <class Real>
struct SparseMatrix {
  std::int64_t rows = 0;
  const int* rowStart = nullptr;
  const int* column = nullptr;
  const Real* value = nullptr;
};

// y[place(row)] = sum over the row of value * x[column]. Lanes neighbouring lanes share a row.
// place: the permutation, or null for y[row].
template <class Real, int Lanes>
__global__ void __launch_bounds__(threadsPerBlock)
    multiplyRows(SparseMatrix<Real> a, const Complex<Real>* __restrict__ x, Complex<Real>* __restrict__ y,
                 const std::uint32_t* place) {
  const std::int64_t row = globalThread() / Lanes;
  const int lane = threadIdx.x % Lanes;
  Complex<Real> sum{0, 0};
  if (row < a.rows) {
    const int end = a.rowStart[row + 1];
    for (int i = a.rowStart[row] + lane; i < end; i += Lanes) {
      // Matrix entries are read once: not worth a place in the cache.
      const Real w = __ldcs(a.value + i);
      const Complex<Real> v = __ldg(x + __ldcs(a.column + i));
      sum.x += w * v.x;
      sum.y += w * v.y;
    }
  }
  for (int step = Lanes / 2; step > 0; step /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, step);
    sum.y += __shfl_xor_sync(~0u, sum.y, step);
  }
  if (lane == 0 && row < a.rows) y[place ? std::int64_t(place[row]) : row] = sum;
}

// Lanes that share a row: a point has W^d entries, a cell only as many as points reach it.
constexpr int pointLanes = 32, cellLanes = 8;

template <class Real>
std::int64_t entriesPerPoint(const MethodSetup<Real>& setup) {
  return std::int64_t(setup.touchedCells() + 0.5);
}

constexpr std::int64_t maxIndex = INT32_MAX;

template <class Real, GridDirection Direction>
class SparseMethod : public GridMethod<Real> {
 public:
  explicit SparseMethod(const MethodSetup<Real>& setup) : setup_(setup) {}

  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    const std::int64_t entries = points.count * entriesPerPoint(setup_);
    if (entries > maxIndex)
      throw Error(
          "The GPU cannot precompute the transform",
          std::to_string(entries) + " matrix entries; 32-bit indices hold " + std::to_string(maxIndex),
          "Choose another method than \"sparse\", or fewer points");
    points_ = points.orders->order(sortBins(setup_), stream);
    if (Direction == GridDirection::spread) sorted_.resize(points_.count);
    column_.resize(entries);
    value_.resize(entries);
    if (setup_.dims == 1)
      fill<1>(stream);
    else if (setup_.dims == 2)
      fill<2>(stream);
    else
      fill<3>(stream);
  }

  bool accumulates() const override { return false; }

  void execute(const MethodCall<Real>& call) override {
    const std::int64_t count = points_.count;
    if (count == 0) return;
    for (std::int64_t b = 0; b < call.batch; ++b) {
      if constexpr (Direction == GridDirection::spread) {
        const Complex<Real>* const samples = call.in + b * count;
        Complex<Real>* const grid = call.out + b * setup_.cells();
        gatherSamples<Real><<<blocksFor(count), threadsPerBlock, 0, call.stream>>>(
            samples, sorted_.data(), points_.permutation, count);
        multiplyRows<Real, cellLanes>
            <<<blocksFor(matrix_.rows * cellLanes), threadsPerBlock, 0, call.stream>>>(
                matrix_, sorted_.data(), grid, nullptr);
        checkLaunch("spreading");
      } else {
        const Complex<Real>* const grid = call.in + b * setup_.cells();
        Complex<Real>* const samples = call.out + b * count;
        multiplyRows<Real, pointLanes>
            <<<blocksFor(matrix_.rows * pointLanes), threadsPerBlock, 0, call.stream>>>(
                matrix_, grid, samples, points_.permutation);
        checkLaunch("interpolating");
      }
    }
  }

  std::int64_t memory() const override {
    return rowStart_.bytes() + cursor_.bytes() + column_.bytes() + value_.bytes() + sorted_.bytes() +
           scratch_.bytes();
  }
  std::string description() const override {
    return (Direction == GridDirection::spread ? "transpose, " : "") +
           std::to_string(entriesPerPoint(setup_)) + " entries a point";
  }

 private:
  template <int Dims>
  void fill(cudaStream_t stream) {
    const int3 size = setup_.gridSize();
    if constexpr (Direction == GridDirection::interpolate) {
      rowStart_.resize(points_.count + 1);
      fillForward<Real, Dims><<<blocksFor(points_.count + 1), threadsPerBlock, 0, stream>>>(
          setup_.table, points_, size, int(entriesPerPoint(setup_)), rowStart_.data(), column_.data(),
          value_.data());
      checkLaunch("precomputing the matrix");
      matrix_ = {points_.count, rowStart_.data(), column_.data(), value_.data()};
    } else {
      const std::int64_t cells = setup_.cells();
      rowStart_.resize(cells + 1);
      cursor_.resize(cells + 1);
      cursor_.zero(stream);
      if (points_.count > 0)
        fillTranspose<Real, Dims, true><<<blocksFor(points_.count), threadsPerBlock, 0, stream>>>(
            setup_.table, points_, size, cursor_.data(), nullptr, nullptr);
      checkLaunch("precomputing the matrix");
      std::size_t bytes = 0;
      check(
          cub::DeviceScan::ExclusiveSum(nullptr, bytes, cursor_.data(), rowStart_.data(), cells + 1, stream),
          "precomputing the matrix");
      scratch_.resize(std::int64_t(bytes));
      check(cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, cursor_.data(), rowStart_.data(), cells + 1,
                                          stream),
            "precomputing the matrix");
      check(cudaMemcpyAsync(cursor_.data(), rowStart_.data(), std::size_t(cells + 1) * sizeof(int),
                            cudaMemcpyDeviceToDevice, stream),
            "precomputing the matrix");
      if (points_.count > 0)
        fillTranspose<Real, Dims, false><<<blocksFor(points_.count), threadsPerBlock, 0, stream>>>(
            setup_.table, points_, size, cursor_.data(), column_.data(), value_.data());
      checkLaunch("precomputing the matrix");
      matrix_ = {cells, rowStart_.data(), column_.data(), value_.data()};
    }
  }

  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
  SparseMatrix<Real> matrix_;
  DeviceBuffer<int> rowStart_, cursor_, column_;
  DeviceBuffer<Real> value_;
  DeviceBuffer<Complex<Real>> sorted_;
  DeviceBuffer<char> scratch_;
};

template <class Real, GridDirection Direction>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::sparse;
  f.direction = Direction;
  f.refusal = [](const MethodSetup<Real>& s) {
    return s.cells() >= maxIndex ? "the grid has more cells than 32-bit indices hold" : std::string();
  };
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<SparseMethod<Real, Direction>>(s);
  };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    constexpr std::int64_t index = sizeof(int), scanBytes = 1 << 20;
    const std::int64_t rows = Direction == GridDirection::spread ? 2 * (s.cells() + 1) : points + 1;
    return points * entriesPerPoint(s) * (index + std::int64_t(sizeof(Real))) + rows * index +
           points * std::int64_t(sizeof(Complex<Real>)) + scanBytes +
           PointOrders<Real>::estimate(s, sortBins(s), points);
  };
  // Every entry is read once, at the memory's rate.
  f.rank = [](const MethodSetup<Real>& s) { return (4 + sizeof(Real)) / 2.0e3 * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float, GridDirection::spread>()),
                           registerMethod(factory<float, GridDirection::interpolate>()),
                           registerMethod(factory<double, GridDirection::spread>()),
                           registerMethod(factory<double, GridDirection::interpolate>())};

}  // namespace
}  // namespace spokelab::gpu
