// Spreading in 1-D without atomics. Points are sorted by cell; `lanes` neighbouring threads own a
// cell. In registers they sum the contributions of the cell's points to each of the ceil(W) cells
// that these points touch:
//   s_i[j] = sum over points p of cell i of c_p phi(f_p + j - W/2),   b_l = sum_j s_(l - j)[j].
// A thread block has the cells of its tile and the ceil(W) - 1 cells before them, whose points it
// sums once more. So every cell of the grid is written once, nothing is cleared or added, and
// points in the same order give the same bits. A thread takes several images of a batch together
// and evaluates the kernel once for them. A whole warp sums each crowded cell, or the whole block
// sums them in turn. Many blocks sum the cells with thousands of points beforehand, range by range
// of the sorted points.
#include "cuda/device/complex.cuh"
#include "cuda/device/image_groups.cuh"
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
// A cell with more points than this times the lanes is one for a whole warp; one with more than
// `manyPoints`, where the warp's cells are so uneven that it takes less time.
constexpr std::int64_t crowdedPoints = 128, manyPoints = 16;
// Steps that a whole warp takes to join its lanes' sums of a cell.
constexpr int joinSteps = 4;
// A cell with more points is one for the whole block.
constexpr std::int64_t maxWarpPoints = 1024;
// Blocks that a multiprocessor has room for in any case: a grid of fewer is given more lanes a
// cell.
constexpr int blocksPerMultiprocessor = 2;
constexpr unsigned wholeWarp = 0xffffffffu;
// Images that a thread takes together: their sums are registers.
template <class Real>
constexpr int imagesTogether = sizeof(Real) == sizeof(float) ? 4 : 2;
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

// A point as it is read; its fraction is worked out when it is added, so that nothing waits for it
// before.
template <class Real, int Images>
struct Sample {
  Complex<Real> c[Images];
  std::uint64_t place;
};

// Sums of one cell, of neighbouring images; points are read a step ahead, their numbers two.
template <class Real, int Cells, int Images>
class CellSums {
 public:
  // samples: of the first image.
  __device__ CellSums(const KernelTable<Real>& table, const OrderedPoints<Real>& points,
                      const Complex<Real>* samples)
      : table_(table), points_(points), samples_(samples) {
#pragma unroll
    for (int s = 0; s < Images * Cells; ++s) sum_[s] = {0, 0};
  }

  // Points first, first + step, ... below `end`. All lanes of a warp take `steps` steps together,
  // so that coefficients are read once for all; lanes without a point add zeros.
  __device__ void add(std::int64_t first, std::int64_t end, int step, unsigned steps) {
    std::int64_t p = first;
    std::uint32_t number = numberOf(p + step, end);
    Sample<Real, Images> now = sampleOf(p, end, numberOf(p, end));
    for (unsigned i = 0; i < steps; ++i) {
      const Sample<Real, Images> next = sampleOf(p + step, end, number);
      number = numberOf(p + 2 * step, end);
      Real weight[Cells];
      kernelWeights<Cells, true>(table_, fractionOf(points_, now.place), weight);
#pragma unroll
      for (int image = 0; image < Images; ++image)
#pragma unroll
        for (int j = 0; j < Cells; ++j) {
          sum_[image * Cells + j].x += now.c[image].x * weight[j];
          sum_[image * Cells + j].y += now.c[image].y * weight[j];
        }
      now = next;
      p += step;
    }
  }
  // Adds the sums of `lanes` neighbouring lanes, a power of two; each has the result.
  __device__ void join(int lanes) {
    for (int apart = 1; apart < lanes; apart *= 2)
#pragma unroll
      for (int s = 0; s < Images * Cells; ++s) {
        sum_[s].x += __shfl_xor_sync(wholeWarp, sum_[s].x, apart);
        sum_[s].y += __shfl_xor_sync(wholeWarp, sum_[s].y, apart);
      }
  }
  // The sums of the next image are `apart` further.
  __device__ void addSums(const Complex<Real>* from, std::int64_t apart) {
#pragma unroll
    for (int image = 0; image < Images; ++image)
#pragma unroll
      for (int j = 0; j < Cells; ++j)
        sum_[image * Cells + j] = plus(sum_[image * Cells + j], from[image * apart + j]);
  }
  // To [Images][Cells], `stride` values apart.
  __device__ void store(Complex<Real>* to, int stride) const {
#pragma unroll
    for (int s = 0; s < Images * Cells; ++s) to[s * stride] = sum_[s];
  }

 private:
  __device__ std::uint32_t numberOf(std::int64_t p, std::int64_t end) const {
    return p < end ? points_.permutation[p] : 0;
  }
  __device__ Sample<Real, Images> sampleOf(std::int64_t p, std::int64_t end, std::uint32_t number) const {
    Sample<Real, Images> sample{};
    if (p >= end) return sample;
#pragma unroll
    for (int image = 0; image < Images; ++image) sample.c[image] = samples_[image * points_.count + number];
    if constexpr (sizeof(Real) == sizeof(float))
      if (points_.narrow) {
        sample.place = points_.narrow[p];
        return sample;
      }
    sample.place = points_.wide[p];
    return sample;
  }

  const KernelTable<Real>& table_;
  const OrderedPoints<Real>& points_;
  const Complex<Real>* samples_;
  Complex<Real> sum_[Images * Cells];  // [image][cell]
};

template <class Real, int Cells, int Images>
using SumsOfWarps = Complex<Real>[threadsPerBlock / warpSize32][Images * Cells];

// Sum threadIdx.x < Images * Cells of all threads of a block. memory: shared; what was in it is
// lost.
template <class Real, int Cells, int Images>
__device__ Complex<Real> sumOfBlock(CellSums<Real, Cells, Images>& sum,
                                    SumsOfWarps<Real, Cells, Images>& memory) {
  sum.join(warpSize32);
  __syncthreads();
  if (threadIdx.x % warpSize32 == 0) sum.store(memory[threadIdx.x / warpSize32], 1);
  __syncthreads();
  Complex<Real> all{0, 0};
  if (threadIdx.x < Images * Cells)
    for (int warp = 0; warp < int(blockDim.x) / warpSize32; ++warp)
      all = plus(all, memory[warp][threadIdx.x]);
  return all;
}

template <class Real>
__device__ __forceinline__ std::int64_t cellOfPoint(const OrderedPoints<Real>& points, std::int64_t p) {
  return placeOf(points, 0, p).first;
}

// One block for each range and `Images` images: sums of its points in cells with thousands of
// points. A range has parts of two such cells at most: the cell of its first point, and a cell that
// begins later. sums: [image, range, part, Cells].
template <class Real, int Cells, int Images>
__global__ void __launch_bounds__(threadsPerBlock)
    sumRanges(const __grid_constant__ KernelTable<Real> table,
              const __grid_constant__ OrderedPoints<Real> points, const Complex<Real>* __restrict__ samples,
              Complex<Real>* __restrict__ sums) {
  __shared__ SumsOfWarps<Real, Cells, Images> ofWarps;
  const std::int64_t firstImage = std::int64_t(blockIdx.y) * Images;
  const std::int64_t begin = blockIdx.x * rangePoints, end = min(begin + rangePoints, points.count);
  const std::int64_t cells[] = {cellOfPoint(points, begin), cellOfPoint(points, end - 1)};
  for (int part = 0; part < (cells[0] == cells[1] ? 1 : 2); ++part) {
    const std::int64_t first = points.binStart[cells[part]], last = points.binStart[cells[part] + 1];
    if (last - first <= maxCellPoints) continue;
    const std::int64_t from = max(first, begin), to = min(last, end);
    CellSums<Real, Cells, Images> sum(table, points, samples + firstImage * points.count);
    sum.add(from + threadIdx.x, to, int(blockDim.x), unsigned((to - from + blockDim.x - 1) / blockDim.x));
    const Complex<Real> all = sumOfBlock(sum, ofWarps);
    if (threadIdx.x < Images * Cells)
      sums[(((firstImage + threadIdx.x / Cells) * gridDim.x + blockIdx.x) * 2 + part) * Cells +
           threadIdx.x % Cells] = all;
  }
}

struct CellPoints {
  std::int64_t first, end;
};
// Cells before the first are the last ones; those beyond the last have no points.
template <class Real>
__device__ __forceinline__ CellPoints pointsOfCell(const OrderedPoints<Real>& points, std::int64_t cell,
                                                   int size) {
  if (cell >= size) return {0, 0};
  if (cell < 0) cell += size;
  return {points.binStart[cell], points.binStart[cell + 1]};
}

// True if a whole warp sums the points of a cell, instead of the cell's lanes. The warp takes such
// cells in turn. All lanes of a warp must call together.
__device__ __forceinline__ bool isForWholeWarp(std::int64_t points, int lanes, int lane) {
  const bool crowded = points > crowdedPoints * lanes, many = points > manyPoints * lanes;
  const auto steps = unsigned(crowded ? 0 : (points + lanes - 1) / lanes);
  const unsigned together = largestOfWarp(steps);
  if (together <= unsigned(manyPoints)) return crowded;
  const unsigned apart =
      largestOfWarp(many ? 0 : steps) +
      sumOfWarp(many && !crowded && lane == 0 ? unsigned(points / warpSize32) + joinSteps : 0);
  return apart < together ? many : crowded;
}

// One block a tile and `Images` images; ranges: how many there are of sums of ranges.
template <class Real, int Cells, int Images>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadCells(const __grid_constant__ KernelTable<Real> table,
                const __grid_constant__ OrderedPoints<Real> points, const Complex<Real>* __restrict__ samples,
                Complex<Real>* __restrict__ grid, int size, int lanes,
                const Complex<Real>* __restrict__ ofRanges, std::int64_t ranges) {
  extern __shared__ __align__(16) unsigned char memory[];
  Complex<Real>* const sums =
      reinterpret_cast<Complex<Real>*>(memory);  // [Images][Cells][cells of the block]
  __shared__ SumsOfWarps<Real, Cells, Images> ofWarps;
  // The block's crowded cells: those for a warp from the front, those for the block from the back;
  // how many of each.
  __shared__ int crowdedCells[threadsPerBlock], ofAWarp, ofTheBlock;
  constexpr int before = Cells - 1;
  const int cells = int(blockDim.x) / lanes, own = cells - before;
  const int i = int(threadIdx.x) / lanes, lane = int(threadIdx.x) % lanes;
  const std::int64_t tile = std::int64_t(blockIdx.x) * own;
  const std::int64_t firstImage = std::int64_t(blockIdx.y) * Images;
  const Complex<Real>* const values = samples + firstImage * points.count;
  if (threadIdx.x == 0) ofAWarp = ofTheBlock = 0;
  __syncthreads();
  const auto [first, end] = pointsOfCell(points, tile - before + i, size);
  const bool crowded = isForWholeWarp(end - first, lanes, lane);
  if (crowded && lane == 0) {
    if (end - first > maxWarpPoints && end - first <= maxCellPoints)
      crowdedCells[threadsPerBlock - 1 - atomicAdd(&ofTheBlock, 1)] = i;
    else
      crowdedCells[atomicAdd(&ofAWarp, 1)] = i;
  }
  {
    CellSums<Real, Cells, Images> sum(table, points, values);
    const std::int64_t count = crowded ? 0 : end - first;
    const auto mine = unsigned((count - lane + lanes - 1) / lanes);
    sum.add(first + lane, first + count, lanes, largestOfWarp(mine));
    sum.join(lanes);
    if (lane == 0 && !crowded) sum.store(sums + i, cells);
  }
  __syncthreads();
  // Crowded cells follow each other, and go to the warps in turn.
  const int ownLane = int(threadIdx.x) % warpSize32;
  for (int c = int(threadIdx.x) / warpSize32; c < ofAWarp; c += int(blockDim.x) / warpSize32) {
    const auto [from, to] = pointsOfCell(points, tile - before + crowdedCells[c], size);
    CellSums<Real, Cells, Images> all(table, points, values);
    if (to - from > maxCellPoints) {
      const std::int64_t ofAnImage = ranges * 2 * Cells;
      for (std::int64_t r = from / rangePoints + ownLane; r * rangePoints < to; r += warpSize32)
        all.addSums(ofRanges + firstImage * ofAnImage + (r * 2 + (from > r * rangePoints ? 1 : 0)) * Cells,
                    ofAnImage);
    } else {
      all.add(from + ownLane, to, warpSize32, unsigned((to - from + warpSize32 - 1) / warpSize32));
    }
    all.join(warpSize32);
    if (ownLane == 0) all.store(sums + crowdedCells[c], cells);
  }
  for (int c = 0; c < ofTheBlock; ++c) {
    const int crowd = crowdedCells[threadsPerBlock - 1 - c];
    const auto [from, to] = pointsOfCell(points, tile - before + crowd, size);
    CellSums<Real, Cells, Images> sum(table, points, values);
    sum.add(from + threadIdx.x, to, int(blockDim.x), unsigned((to - from + blockDim.x - 1) / blockDim.x));
    const Complex<Real> all = sumOfBlock(sum, ofWarps);
    if (threadIdx.x < Images * Cells) sums[threadIdx.x * cells + crowd] = all;
  }
  __syncthreads();
  Complex<Real>* const image = grid + firstImage * size;
  for (int l = int(threadIdx.x); l < own && tile + l < size; l += int(blockDim.x))
#pragma unroll
    for (int i = 0; i < Images; ++i) {
      Complex<Real> b{0, 0};
#pragma unroll
      for (int j = 0; j < Cells; ++j) b = plus(b, sums[(i * Cells + j) * cells + l + before - j]);
      image[i * std::int64_t(size) + tile + l] = b;
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
    const auto isIdle = [&](int lanes) {
      const int own = threadsPerBlock / lanes - (setup_.kernelCells() - 1);
      return std::int64_t(setup_.grid[0]) * setup_.batch <=
             std::int64_t(own) * blocksPerMultiprocessor * setup_.device.multiprocessors;
    };
    lanes_ = 1;
    while (lanes_ < maxLanes && (density > pointsPerLane * lanes_ || isIdle(2 * lanes_))) lanes_ *= 2;
    sums_.resize(sumsOf(setup_, points_.count));
  }
  // All points of a cell, by lanes of few additions each; the sums of lanes, of ranges and of
  // neighbouring cells follow. A warp joins its lanes' sums in 5 additions, twice where there are
  // ranges.
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
      const auto bytes = [&](int images) {
        return std::size_t(images * Cells * cells) * sizeof(Complex<Real>);
      };
      const auto launch = [&](auto images, int first, int groups) {
        constexpr int Images = decltype(images)::value;
        const Complex<Real>* const in = call.in + first * points_.count;
        if (ranges > 0)
          sumRanges<Real, Cells, Images>
              <<<dim3(unsigned(ranges), unsigned(groups)), threadsPerBlock, 0, call.stream>>>(
                  setup_.table, points_, in, sums_.data());
        const auto kernel = spreadCells<Real, Cells, Images>;
        allowShared(kernel, bytes(Images));
        const dim3 blocks(blocksFor(setup_.grid[0], cells - (Cells - 1)), unsigned(groups));
        kernel<<<blocks, threads, bytes(Images), call.stream>>>(
            setup_.table, points_, in, call.out + std::int64_t(first) * setup_.grid[0], setup_.grid[0],
            lanes_, sums_.data(), ranges);
      };
      constexpr int Together = imagesTogether<Real>;
      constexpr std::int64_t reserved = 1024;  // by the device, and for counts
      constexpr std::int64_t fixed =
          sizeof(SumsOfWarps<Real, Cells, Together>) + threadsPerBlock * sizeof(int) + reserved;
      if (std::int64_t(bytes(Together)) + fixed <= setup_.device.sharedPerBlock)
        forImageGroups<Together>(int(call.batch), launch);
      else
        forImageGroups<1>(int(call.batch), launch);
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
  if (sizeof(Real) == sizeof(float)) f.disorder = "crowded points are summed separately, by atomic additions";
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
