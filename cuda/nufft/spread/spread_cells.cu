// Spreading in 1-D without atomics. Points are sorted to the cell; `lanes` neighbouring threads own a
// cell and sum its points into what the cell's points add to each of the ceil(W) cells that they
// touch, in registers:
//   s_i[j] = sum over points p of cell i of c_p phi(f_p + j - W/2),   b_l = sum_j s_(l - j)[j].
// A thread block has the cells of its tile and the ceil(W) - 1 before them, whose points it sums
// once more, so that every cell of the grid is written once, nothing is cleared or added, and points in
// the same order give the same bits. Crowded cells are summed by a whole warp each; those of thousands of
// points before, range by range of the sorted points, by many blocks.
#include "cuda/device/complex.cuh"
#include "cuda/device/instructions.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/spread/cells.h"

namespace spokelab::gpu {
namespace {

// More lanes a cell would leave a tile with little but the cells before it.
constexpr int maxLanes = 8;
// Blocks of more threads hold too many sums at once where cells have one lane.
constexpr int threadsOfOneLane = 128;
// Points of a cell and lane; with fewer, lanes would add more sums than points.
constexpr double pointsPerLane = 8;
// A cell with more points than this times the lanes is one for a whole warp.
constexpr std::int64_t crowdedPoints = 128;
constexpr unsigned wholeWarp = 0xffffffffu;
// Points of a range; a cell with more than two ranges' is summed range by range.
constexpr std::int64_t rangePoints = 2048, maxCellPoints = 2 * rangePoints;
constexpr int warpSize32 = 32;

std::int64_t rangesOf(std::int64_t points) {
  return points > maxCellPoints ? (points + rangePoints - 1) / rangePoints : 0;
}

template <class Real>
__device__ __forceinline__ Real fractionOf(const OrderedPoints<Real>& points, std::uint64_t place) {
  if constexpr (sizeof(Real) == sizeof(float))
    if (points.narrow) return placed<Real>(std::uint32_t(place), points.bits, points.step).fraction;
  return placed<Real>(place, points.bits, points.step).fraction;
}

// A point as it is read; its fraction is worked out when it is added, so that nothing waits for it before.
template <class Real>
struct Sample {
  Complex<Real> c;
  std::uint64_t place;
};

// Sums of one cell; points are read a step ahead, their numbers two.
template <class Real, int Cells>
class CellSums {
 public:
  __device__ CellSums(const KernelTable<Real>& table, const OrderedPoints<Real>& points,
                      const Complex<Real>* samples)
      : table_(table), points_(points), samples_(samples) {
#pragma unroll
    for (int j = 0; j < Cells; ++j) sum_[j] = {0, 0};
  }

  // Points first, first + step, ... below `end`. All lanes of a warp take `steps` steps together, so
  // that coefficients are read once for all; lanes without a point add zeros.
  __device__ void add(std::int64_t first, std::int64_t end, int step, unsigned steps) {
    std::int64_t p = first;
    std::uint32_t number = numberOf(p + step, end);
    Sample<Real> now = sampleOf(p, end, numberOf(p, end));
    for (unsigned i = 0; i < steps; ++i) {
      const Sample<Real> next = sampleOf(p + step, end, number);
      number = numberOf(p + 2 * step, end);
      Real weight[Cells];
      kernelWeights<Cells>(table_, fractionOf(points_, now.place), weight);
#pragma unroll
      for (int j = 0; j < Cells; ++j) {
        sum_[j].x += now.c.x * weight[j];
        sum_[j].y += now.c.y * weight[j];
      }
      now = next;
      p += step;
    }
  }
  // Adds the sums of `lanes` neighbouring lanes, a power of two; each has the result.
  __device__ void join(int lanes) {
    for (int apart = 1; apart < lanes; apart *= 2)
#pragma unroll
      for (int j = 0; j < Cells; ++j) {
        sum_[j].x += __shfl_xor_sync(wholeWarp, sum_[j].x, apart);
        sum_[j].y += __shfl_xor_sync(wholeWarp, sum_[j].y, apart);
      }
  }
  __device__ void addSums(const Complex<Real>* from) {
#pragma unroll
    for (int j = 0; j < Cells; ++j) sum_[j] = plus(sum_[j], from[j]);
  }
  __device__ void store(Complex<Real>* to, int stride) const {
#pragma unroll
    for (int j = 0; j < Cells; ++j) to[j * stride] = sum_[j];
  }

 private:
  __device__ std::uint32_t numberOf(std::int64_t p, std::int64_t end) const {
    return p < end ? points_.permutation[p] : 0;
  }
  __device__ Sample<Real> sampleOf(std::int64_t p, std::int64_t end, std::uint32_t number) const {
    if (p >= end) return {{0, 0}, 0};
    if constexpr (sizeof(Real) == sizeof(float))
      if (points_.narrow) return {samples_[number], points_.narrow[p]};
    return {samples_[number], points_.wide[p]};
  }

  const KernelTable<Real>& table_;
  const OrderedPoints<Real>& points_;
  const Complex<Real>* samples_;
  Complex<Real> sum_[Cells];
};

template <class Real>
__device__ __forceinline__ std::int64_t cellOfPoint(const OrderedPoints<Real>& points, std::int64_t p) {
  return placeOf(points, 0, p).first;
}

// One block a range and image: sums of its points of cells with very many. A range has parts of two such
// cells at most, the one that its first point lies in, and one that begins later. sums: [image, range, part,
// Cells].
template <class Real, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    sumRanges(const __grid_constant__ KernelTable<Real> table,
              const __grid_constant__ OrderedPoints<Real> points, const Complex<Real>* __restrict__ samples,
              Complex<Real>* __restrict__ sums) {
  __shared__ Complex<Real> ofWarps[threadsPerBlock / warpSize32][Cells];
  const std::int64_t begin = blockIdx.x * rangePoints, end = min(begin + rangePoints, points.count);
  const std::int64_t cells[] = {cellOfPoint(points, begin), cellOfPoint(points, end - 1)};
  for (int part = 0; part < (cells[0] == cells[1] ? 1 : 2); ++part) {
    const std::int64_t first = points.binStart[cells[part]], last = points.binStart[cells[part] + 1];
    if (last - first <= maxCellPoints) continue;
    const std::int64_t from = max(first, begin), to = min(last, end);
    CellSums<Real, Cells> sum(table, points, samples + blockIdx.y * points.count);
    sum.add(from + threadIdx.x, to, int(blockDim.x), unsigned((to - from + blockDim.x - 1) / blockDim.x));
    sum.join(warpSize32);
    if (threadIdx.x % warpSize32 == 0) sum.store(ofWarps[threadIdx.x / warpSize32], 1);
    __syncthreads();
    if (threadIdx.x < Cells) {
      Complex<Real> all{0, 0};
      for (const auto& one : ofWarps) all = plus(all, one[threadIdx.x]);
      sums[((std::int64_t(blockIdx.y) * gridDim.x + blockIdx.x) * 2 + part) * Cells + threadIdx.x] = all;
    }
    __syncthreads();
  }
}

// One block a tile and image; ranges: how many there are of sums of ranges.
template <class Real, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadCells(const __grid_constant__ KernelTable<Real> table,
                const __grid_constant__ OrderedPoints<Real> points, const Complex<Real>* __restrict__ samples,
                Complex<Real>* __restrict__ grid, int size, int lanes,
                const Complex<Real>* __restrict__ ofRanges, std::int64_t ranges) {
  extern __shared__ __align__(16) unsigned char memory[];
  Complex<Real>* const sums = reinterpret_cast<Complex<Real>*>(memory);  // [Cells][cells of the block]
  constexpr int before = Cells - 1;
  const int cells = int(blockDim.x) / lanes, own = cells - before;
  const int i = int(threadIdx.x) / lanes, lane = int(threadIdx.x) % lanes;
  const std::int64_t tile = std::int64_t(blockIdx.x) * own;
  const Complex<Real>* const values = samples + blockIdx.y * points.count;
  // Cells before the first are the last ones; those beyond the last have no points.
  std::int64_t cell = tile - before + i;
  const bool there = cell < size;
  if (cell < 0) cell += size;
  const std::int64_t first = there ? points.binStart[cell] : 0, end = there ? points.binStart[cell + 1] : 0;
  const bool crowded = end - first > crowdedPoints * lanes;
  const unsigned crowds = __ballot_sync(wholeWarp, crowded && lane == 0);
  CellSums<Real, Cells> sum(table, points, values);
  {
    const std::int64_t count = crowded ? 0 : end - first;
    const auto mine = unsigned((count - lane + lanes - 1) / lanes);
    sum.add(first + lane, first + count, lanes, largestOfWarp(mine));
  }
  sum.join(lanes);
  if (lane == 0 && !crowded) sum.store(sums + i, cells);
  for (unsigned left = crowds; left; left &= left - 1) {
    const int owner = __ffs(int(left)) - 1;
    const std::int64_t from = __shfl_sync(wholeWarp, first, owner), to = __shfl_sync(wholeWarp, end, owner);
    const int ownLane = int(threadIdx.x) % warpSize32;
    CellSums<Real, Cells> all(table, points, values);
    if (to - from > maxCellPoints) {
      const Complex<Real>* const image = ofRanges + blockIdx.y * ranges * 2 * Cells;
      for (std::int64_t r = from / rangePoints + ownLane; r * rangePoints < to; r += warpSize32)
        all.addSums(image + (r * 2 + (from > r * rangePoints ? 1 : 0)) * Cells);
    } else {
      const auto steps = unsigned((to - from + warpSize32 - 1) / warpSize32);
      all.add(from + ownLane, to, warpSize32, largestOfWarp(steps));
    }
    all.join(warpSize32);
    if (ownLane == owner) all.store(sums + i, cells);
  }
  __syncthreads();
  Complex<Real>* const image = grid + blockIdx.y * std::int64_t(size);
  for (int l = int(threadIdx.x); l < own && tile + l < size; l += int(blockDim.x)) {
    Complex<Real> b{0, 0};
#pragma unroll
    for (int j = 0; j < Cells; ++j) b = plus(b, sums[j * cells + l + before - j]);
    image[tile + l] = b;
  }
}

template <class Real>
std::int64_t sumsOf(const MethodSetup<Real>& setup, std::int64_t points) {
  return setup.batch * rangesOf(points) * 2 * setup.kernelCells();
}

template <class Real>
class SpreadCells : public GridMethod<Real> {
 public:
  explicit SpreadCells(const MethodSetup<Real>& setup) : setup_(setup) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(cellBins, stream);
    const double density = double(points_.count) / setup_.grid[0];
    lanes_ = 1;
    while (lanes_ < maxLanes && density > pointsPerLane * lanes_) lanes_ *= 2;
    sums_.resize(sumsOf(setup_, points_.count));
  }
  // All points of a cell, by lanes of few additions each; the sums of lanes, of ranges and of neighbouring cells
  // follow. A warp joins its lanes' sums in 5 additions, twice where there are ranges.
  Summation summation(std::int64_t points) const override {
    const std::int64_t ofRange = rangePoints / threadsPerBlock + threadsPerBlock / warpSize32,
                       ofRanges = rangesOf(points) / warpSize32 + 1, joins = 2 * 5;
    return {UINT32_MAX, std::max(crowdedPoints, ofRange + ofRanges) + joins + setup_.kernelCells()};
  }
  bool accumulates() const override { return false; }
  void execute(const MethodCall<Real>& call) override {
    const int threads = lanes_ == 1 ? threadsOfOneLane : threadsPerBlock, cells = threads / lanes_;
    const std::int64_t ranges = rangesOf(points_.count);
    dispatchWidth(setup_.kernelCells(), [&]<int Cells>() {
      if (ranges > 0)
        sumRanges<Real, Cells>
            <<<dim3(unsigned(ranges), unsigned(call.batch)), threadsPerBlock, 0, call.stream>>>(
                setup_.table, points_, call.in, sums_.data());
      const auto kernel = spreadCells<Real, Cells>;
      const std::size_t shared = std::size_t(Cells * cells) * sizeof(Complex<Real>);
      allowShared(kernel, shared);
      const dim3 blocks(blocksFor(setup_.grid[0], cells - (Cells - 1)), unsigned(call.batch));
      kernel<<<blocks, threads, shared, call.stream>>>(setup_.table, points_, call.in, call.out,
                                                       setup_.grid[0], lanes_, sums_.data(), ranges);
    });
    checkLaunch("spreading");
  }
  std::int64_t memory() const override { return sums_.bytes(); }
  std::string description() const override {
    return "points sorted to the cell, " + std::to_string(lanes_) + (lanes_ > 1 ? " threads" : " thread") +
           " a cell";
  }

 private:
  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
  int lanes_ = 1;
  DeviceBuffer<Complex<Real>> sums_;  // of ranges
};

template <class Real>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::cell;
  f.direction = GridDirection::spread;
  if (sizeof(Real) == sizeof(float))
    f.disorder = "crowded points need sums of their own beside it, which meet by atomic additions";
  f.refusal = cellRefusal<Real>;
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<SpreadCells<Real>>(s);
  };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    return PointOrders<Real>::estimate(s, cellBins, points) +
           sumsOf(s, points) * std::int64_t(sizeof(Complex<Real>));
  };
  f.rank = [](const MethodSetup<Real>& s) { return 0.0008 * sizeof(Real) / 4 * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float>()), registerMethod(factory<double>())};

}  // namespace
}  // namespace spokelab::gpu
