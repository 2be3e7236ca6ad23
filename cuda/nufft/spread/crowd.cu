#include "cuda/nufft/spread/crowd.h"

#include <algorithm>
#include <bit>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/points/set_place.cuh"
#include "cuda/nufft/spread/crowd_sum.cuh"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

constexpr int taskPoints = 1024;
// A block that is checked by a sample of its points shows at least this number of a crowd's points.
constexpr std::int64_t minSeen = 4096;
constexpr unsigned maxStride = 16;

struct BlockShape {
  int dims;
  int grid[3], blocks[3];
  Divider perBlock[3];  // by a block's cells
  double halfWidth;
};

// Spreads neighbouring numbers over all of 32 bits (the finalizer of MurmurHash3).
__device__ __forceinline__ std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}

// Counts the points of each block, of `stride` warps of points one at random, until one block has
// more than `limit`.
__global__ void countBlocks(const __grid_constant__ BlockShape shape, const double* coordinates,
                            std::int64_t count, const std::uint32_t* setOfPoint, unsigned stride,
                            std::uint32_t limit, std::uint32_t* counts, volatile std::uint32_t* crowded,
                            std::uint32_t* found, int* notFinite) {
  constexpr unsigned all = ~0u;
  const unsigned lane = threadIdx.x % 32;
  if (__any_sync(all, *crowded != 0)) return;
  const std::int64_t warp = globalThread() / 32;
  const std::int64_t j = (warp * stride + (stride > 1 ? mixed(std::uint32_t(warp)) % stride : 0)) * 32 + lane;
  std::int64_t block = -1;
  if (j < count) {
    block = setOfPoint ? setOfPoint[j] : 0;
    for (int d = shape.dims - 1; d >= 0; --d) {
      double fraction = 0;
      const int cell = firstCell(usable(coordinates[j * shape.dims + d], notFinite), shape.grid[d],
                                 shape.halfWidth, fraction);
      block = block * shape.blocks[d] + shape.perBlock[d](std::uint32_t(cell));
    }
  }
  // Points that follow each other often share a block: the first lane of such a run adds for all.
  // (H100, 563,169 radial points that cross in the centre: 12 us, 20 where lanes add one by one.)
  const std::int64_t before = __shfl_up_sync(all, block, 1);
  const bool begins = lane == 0 || block != before;
  const unsigned later = __ballot_sync(all, begins) & (all << 1 << lane);
  const std::uint32_t points = (later ? __ffs(int(later)) - 1 : 32) - lane;
  if (!begins || block < 0) return;
  const std::uint32_t others = atomicAdd(counts + block, points);
  // Only the thread that crosses the limit writes `found`, which is in the host's memory: writes of
  // all threads above the limit took 36 us.
  if (others <= limit && others + points > limit) {
    *crowded = 1;
    *found = 1;
  }
}

// Numbers the sums that blocks of several tasks need; totals: [sums, points].
__global__ void numberSums(const Task* tasks, const std::uint32_t* taskCount, const std::uint32_t* first,
                           std::uint32_t* sumOfTask, std::uint32_t* binOfSum, std::uint32_t* totals) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= *taskCount) return;
  const Task task = tasks[t];
  atomicAdd(totals + 1, task.end - task.begin);
  if (t != first[task.bin] || first[task.bin + 1] - t == 1) return;
  const std::uint32_t sum = atomicAdd(totals, 1);
  sumOfTask[t] = sum;
  binOfSum[sum] = task.bin;
}

template <class Real>
__global__ void clearCrowd(const __grid_constant__ OrderedPoints<Real> points, const TaskRange tasks,
                           int batch, const __grid_constant__ SetRange range, Complex<Real>* samples) {
  const Task* const own = taskOfBlock(tasks);
  if (!own) return;
  const Task task = *own;
  const SetPlace set = placeOfBin(points, range, task.bin, batch);
  for (std::uint32_t p = task.begin + threadIdx.x; p < task.end; p += blockDim.x)
    for (int b = 0; b < batch; ++b) samples[set.first + b * set.points + points.permutation[p]] = {0, 0};
}

struct Sums {
  const std::uint32_t *first, *sumOfTask;
  double2* values;  // [batch, count, volume]
  std::int64_t count;
};

// One block a task and image.
template <class Real, int Dims>
__global__ void __launch_bounds__(crowdThreads)
    spreadCrowd(const __grid_constant__ KernelTable<Real> table,
                const __grid_constant__ OrderedPoints<Real> points, const TaskRange tasks,
                const Complex<Real>* __restrict__ samples, Complex<Real>* __restrict__ grid, int3 size,
                int3 padded, const __grid_constant__ SetRange range, Sums sums) {
  const Task* const found = taskOfBlock(tasks);
  if (!found) return;
  extern __shared__ __align__(16) unsigned char memory[];
  const Task task = *found;
  const SetPlace set = placeOfBin(points, range, task.bin, int(gridDim.y));
  const Tile tile = tileOf(points, task.bin, padded);
  const int volume = tile.volume(), copies = crowdGroups<Dims>(tile.size) * volume;
  double2* const cells = reinterpret_cast<double2*>(memory);
  for (int i = threadIdx.x; i < copies; i += crowdThreads) cells[i] = {0, 0};
  addCrowd<Dims>(*reinterpret_cast<CrowdStage<Dims, Real>*>(cells + copies), table, points,
                 samples + set.first + blockIdx.y * set.points, task.begin, task.end, tile, size, cells);
  const std::uint32_t first = sums.first[task.bin];
  if (sums.first[task.bin + 1] - first > 1) {
    double2* const sum = sums.values + (blockIdx.y * sums.count + sums.sumOfTask[first]) * volume;
    for (int i = threadIdx.x; i < volume; i += crowdThreads)
      if (cells[i].x != 0 || cells[i].y != 0) addGlobal(sum + i, cells[i]);
    return;
  }
  Complex<Real>* const image = grid + (set.image + blockIdx.y) * (std::int64_t(size.x) * size.y * size.z);
  forEachTileCell<Dims>(tile, size, [&](int i, std::int64_t to) {
    if (cells[i].x != 0 || cells[i].y != 0)
      addGlobal(image + to, Complex<Real>{Real(cells[i].x), Real(cells[i].y)});
  });
}

// One block a sum and image.
template <class Real, int Dims>
__global__ void addSums(const __grid_constant__ OrderedPoints<Real> points, const std::uint32_t* binOfSum,
                        const double2* sums, Complex<Real>* grid, int3 size, int3 padded,
                        const __grid_constant__ SetRange range) {
  const std::uint32_t bin = binOfSum[blockIdx.x];
  const std::int64_t set = points.sets.start ? bin / points.binCount() : 0;
  if (set < range.first || set >= range.first + range.count) return;
  const Tile tile = tileOf(points, bin, padded);
  const SetPlace place = placeOfSet(points.sets, range, set, int(gridDim.y));
  const double2* const own = sums + (std::int64_t(blockIdx.y) * gridDim.x + blockIdx.x) * tile.volume();
  Complex<Real>* const image = grid + (place.image + blockIdx.y) * (std::int64_t(size.x) * size.y * size.z);
  forEachTileCell<Dims>(tile, size, [&](int i, std::int64_t to) {
    const double2 v = own[i];
    if (v.x != 0 || v.y != 0) addGlobal(image + to, Complex<Real>{Real(v.x), Real(v.y)});
  });
}

template <class Real>
std::array<int, 3> crowdBins(const MethodSetup<Real>& setup) {
  std::array<int, 3> bin{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(setup.dims); ++d)
    bin[d] = std::clamp(setup.grid[d] / 2, 1, blockCells);
  // Copies of a tile are made of small tiles alone.
  return fittingBin(setup, bin, sizeof(double2),
                    setup.device.sharedPerBlock - std::int64_t(sizeof(CrowdStage<3, Real>)));
}

}  // namespace

template <class Real>
std::int64_t crowdLimit(const MethodSetup<Real>& setup, const Summation& summation, std::int64_t points) {
  // Share of the accuracy asked for that sums may cost; MethodSetup::rounding is 2 u times what
  // deapodization makes of it.
  constexpr double share = 0.4, equalTerms = 2 * 6, independentTerms = 8, spareBlocks = 16;
  const double room = share * setup.accuracy / setup.rounding;
  const auto most = [&](double terms) {
    return double(summation.chain) <= terms ? terms * double(summation.together) : terms;
  };
  const double equal = most(equalTerms * room), independent = most(independentTerms * room * room);
  const double limit =
      std::min(independent, std::clamp(double(points) / spareBlocks, equal, spareBlocks * equal));
  constexpr double minLimit = 32;
  return std::int64_t(std::clamp(limit, minLimit, double(UINT32_MAX)));
}

template <class Real>
Crowd<Real>::Crowd(const MethodSetup<Real>& setup)
    : setup_(setup), bins_(crowdBins(setup)), padded_(paddedBin(setup, bins_)) {
}

template <class Real>
void Crowd<Real>::look(const PointSource<Real>& points, const Summation& summation, cudaStream_t stream) {
  forget();
  limit_ = crowdLimit(setup_, summation, points.largestSet());
  if (!setup_.splitsCrowds) return;
  // In double, tasks of these points are all that could be better.
  const bool helps = sizeof(Real) == sizeof(float) ? !setup_.reproducible : summation.together < taskPoints;
  looked_ = helps && points.largestSet() > limit_;
  if (!looked_) return;
  BlockShape shape{};
  shape.dims = setup_.dims;
  shape.halfWidth = 0.5 * setup_.width;
  for (std::size_t d = 0; d < 3; ++d) {
    shape.grid[d] = setup_.grid[d];
    shape.perBlock[d] = Divider(std::uint32_t(bins_[d]));
    shape.blocks[d] = (setup_.grid[d] + bins_[d] - 1) / bins_[d];
  }
  // Counts, and a word that ends the search; 4 bytes a block fit where 8 bytes a cell lie.
  const std::int64_t blocks = points.sets.count * binCountOf(setup_, bins_),
                     bytes = (blocks + 1) * std::int64_t(sizeof(std::uint32_t));
  const Loan& room = points.orders->room();
  DeviceBuffer<std::uint32_t> own;
  if (room.bytes < bytes) own.resize(blocks + 1);
  std::uint32_t* const counts = own.size() > 0 ? own.data() : static_cast<std::uint32_t*>(room.data);
  check(cudaMemsetAsync(counts, 0, std::size_t(bytes), stream), "counting points");
  if (!found_) found_ = std::make_unique<HostWord>();
  found_->set(0);
  const auto stride = unsigned(
      std::clamp<std::int64_t>(std::int64_t(std::bit_floor(std::uint64_t(limit_ / minSeen))), 1, maxStride));
  const std::int64_t warps = (points.count + 31) / 32, read = (warps + stride - 1) / stride * 32;
  countBlocks<<<blocksFor(read), threadsPerBlock, 0, stream>>>(
      shape, points.coordinates, points.count, points.sets.ofPoint, stride, std::uint32_t(limit_ / stride),
      counts, counts + blocks, found_->data(), points.orders->notFinite());
  checkLaunch("counting points");
  searched_.record(stream);
}

template <class Real>
bool Crowd<Real>::found() const {
  if (!looked_) return false;
  searched_.synchronize();
  return found_->value() != 0;
}

template <class Real>
void Crowd<Real>::gather(const PointSource<Real>& points, std::int64_t available, cudaStream_t stream) {
  if (setup_.reproducible)
    throw Error("Cannot set the points of a transform",
                "too many lie in the same cells: their sums are made separately, in an order that differs "
                "between runs",
                "Ask for less accuracy, use the CPU, or leave reproducible out");
  const std::int64_t bins = points.sets.count * binCountOf(setup_, bins_);
  const std::int64_t needed = PointOrders<Real>::estimate(setup_, bins_, points.count) +
                              TaskList::estimate(bins, points.count, taskPoints, limit_) +
                              setup_.batch * points.count * std::int64_t(sizeof(Complex<Real>));
  if (needed > available)
    throw Error("Cannot set the points of a transform",
                "too many lie in the same cells: their separate sums take " + megabytesText(needed) +
                    " more, and " + megabytesText(std::max<std::int64_t>(available, 0)) + " are left",
                "Use double precision, ask for less accuracy, or raise the limit of memory");
  points_ = points.orders->order(bins_, stream);
  tasks_.build(points_.binStart, bins, points_.count, taskPoints, stream, limit_);
  if (tasks_.limit() == 0) return;
  sumOfTask_.resize(tasks_.limit());
  binOfSum_.resize(points_.count / taskPoints + 1);
  totals_.resize(2);
  totals_.zero(stream);
  numberSums<<<blocksFor(tasks_.limit()), threadsPerBlock, 0, stream>>>(
      tasks_.tasks(), tasks_.count(), tasks_.first(), sumOfTask_.data(), binOfSum_.data(), totals_.data());
  checkLaunch("counting points");
  std::uint32_t totals[2] = {};
  totals_.download(totals, 2, stream);
  synchronize(stream);
  sumCount_ = totals[0];
  crowded_ = totals[1];
  sums_.resize(setup_.batch * sumCount_ * volume(padded_));
}

template <class Real>
const Complex<Real>* Crowd<Real>::others(const Complex<Real>* samples, std::int64_t batch,
                                         const SetRange& range, cudaStream_t stream) {
  const std::int64_t values = batch * range.points();
  others_.resize(values);
  check(cudaMemcpyAsync(others_.data(), samples, std::size_t(values) * sizeof(Complex<Real>),
                        cudaMemcpyDeviceToDevice, stream),
        "copying samples");
  const TaskRange tasks = tasks_.range(points_, range);
  if (tasks.limit == 0) return others_.data();
  clearCrowd<Real>
      <<<tasks.limit, threadsPerBlock, 0, stream>>>(points_, tasks, int(batch), range, others_.data());
  checkLaunch("copying samples");
  return others_.data();
}

template <class Real>
void Crowd<Real>::spread(const MethodCall<Real>& call) {
  if (sumCount_ > 0) sums_.zero(call.stream);
  if (setup_.dims == 1)
    launch<1>(call);
  else if (setup_.dims == 2)
    launch<2>(call);
  else
    launch<3>(call);
  checkLaunch("spreading");
}

template <class Real>
template <int Dims>
void Crowd<Real>::launch(const MethodCall<Real>& call) {
  const int size[3] = {padded_[0], padded_[1], padded_[2]};
  const std::size_t shared = std::size_t(crowdGroups<Dims>(size) * volume(padded_)) * sizeof(double2) +
                             sizeof(CrowdStage<Dims, Real>);
  const int3 padded = make_int3(padded_[0], padded_[1], padded_[2]);
  const auto kernel = spreadCrowd<Real, Dims>;
  allowShared(kernel, shared);
  const TaskRange tasks = tasks_.range(points_, call.range);
  if (tasks.limit == 0) return;
  kernel<<<dim3(tasks.limit, unsigned(call.batch)), crowdThreads, shared, call.stream>>>(
      setup_.table, points_, tasks, call.in, call.out, setup_.gridSize(), padded, call.range,
      Sums{tasks_.first(), sumOfTask_.data(), sums_.data(), sumCount_});
  checkLaunch("spreading");
  if (sumCount_ > 0)
    addSums<Real, Dims><<<dim3(unsigned(sumCount_), unsigned(call.batch)), crowdThreads, 0, call.stream>>>(
        points_, binOfSum_.data(), sums_.data(), call.out, setup_.gridSize(), padded, call.range);
}

template <class Real>
std::int64_t Crowd<Real>::memory() const {
  return tasks_.memory() + sumOfTask_.bytes() + binOfSum_.bytes() + totals_.bytes() + sums_.bytes() +
         others_.bytes();
}

template std::int64_t crowdLimit(const MethodSetup<float>&, const Summation&, std::int64_t);
template std::int64_t crowdLimit(const MethodSetup<double>&, const Summation&, std::int64_t);
template class Crowd<float>;
template class Crowd<double>;

}  // namespace spokelab::gpu
