// Fixed-point accumulation in shared memory: as SM, but the padded bin holds two planes (real,
// imaginary) of 32-bit integers, whose atomic addition is native where the float one is a
// compare-and-swap loop. Sums inside a tile do not depend on the order. A task's scale is 2^30 /
// max(sum |re c|, sum |im c|): |phi| <= 1, so with half a unit of rounding a point no cell can
// leave 31 bits, and one large sample costs the others nothing but that bound. Float only: 31 bits
// do not hold a double.
// A task's points are limited so that the rounding, amplified by 1/h, is below a share of the error
// (taskPoints).
// Tiles meet in the grid by float additions, in any order; in reproducible plans in a grid of
// 64-bit integers, whose scale follows from the largest sample and the number of samples.
#include <cub/block/block_reduce.cuh>

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/values/largest.h"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/points/set_place.cuh"
#include "cuda/nufft/points/tasks.h"
#include "cuda/nufft/spread/tile.cuh"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

// 2^30: a task's rounding, half a unit a point, fits in the remaining bit.
constexpr float fullScale = 1073741824.f;
constexpr int maxTaskSize = 1 << 20;  // points
// The scale and its inverse stay normal numbers.
constexpr float maxScaleExponent = 120;
// Larger sums of |samples| count as infinite.
constexpr float maxFiniteSum = 3.4e38f;

// Sum of |re| and of |im| over the task's samples, the larger of the two, in every thread.
__device__ float largestSum(const float2* samples, const std::uint32_t* permutation, const Task& task) {
  using Reduce = cub::BlockReduce<float, threadsPerBlock>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float larger;
  float re = 0, im = 0;
  for (std::uint32_t p = task.begin + threadIdx.x; p < task.end; p += blockDim.x) {
    const float2 c = samples[permutation[p]];
    re += fabsf(c.x);
    im += fabsf(c.y);
  }
  re = Reduce(storage).Sum(re);
  __syncthreads();
  im = Reduce(storage).Sum(im);
  // NaN and infinity of either sum survive in the result.
  if (threadIdx.x == 0) larger = re > im || !(im == im) ? re + 0 * im : im + 0 * re;
  __syncthreads();
  const float result = larger;
  __syncthreads();
  return result;
}

// The unit of an image's 64-bit sums: 2^61 of them hold all samples at one cell, whatever the
// tiles' roundings add.
__device__ double wholeScale(const float* largest, std::int64_t count) {
  constexpr int wholeBits = 61;
  const double most = double(*largest) * double(count);
  return most > 0 ? exp2(wholeBits - ceil(log2(most))) : 1;
}

__device__ void addWhole(unsigned long long* to, double value) {
  atomicAdd(to, static_cast<unsigned long long>(__double2ll_rn(value)));
}

__global__ void addSums(const unsigned long long* sums, std::int64_t cells, const float* largest,
                        std::int64_t count, float2* grid) {
  const std::int64_t i = globalThread();
  if (i >= cells) return;
  const double inverse = 1 / wholeScale(largest, count);
  grid[i].x += float(double(static_cast<long long>(sums[2 * i])) * inverse);
  grid[i].y += float(double(static_cast<long long>(sums[2 * i + 1])) * inverse);
}

// sums: [cell, re and im] of one image, or null: the tiles are added to `grid`.
template <int Dims, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadFixed(const __grid_constant__ KernelTable<float> table,
                const __grid_constant__ OrderedPoints<float> points, const TaskRange tasks,
                const float2* __restrict__ samples, float2* __restrict__ grid, int3 size, int3 padded,
                int batch, const __grid_constant__ SetRange range, int* notFinite, unsigned long long* sums,
                const float* largest) {
  const Task* const own = taskOfBlock(tasks);
  if (!own) return;
  extern __shared__ int planes[];
  const Task task = *own;
  const Tile tile = tileOf(points, task.bin, padded);
  const int volume = tile.volume();
  int *const re = planes, *const im = planes + volume;
  const double whole = sums ? wholeScale(largest, points.count) : 1;
  const SetPlace set = placeOfBin(points, range, task.bin, batch);
  for (int b = int(blockIdx.y); b < batch; b += int(gridDim.y)) {
    const float2* const values = samples + set.first + b * set.points;
    const float sum = largestSum(values, points.permutation, task);
    if (!(sum <= maxFiniteSum)) {
      if (threadIdx.x == 0 && notFinite) *notFinite = 1;
      continue;
    }
    if (sum == 0) continue;
    // The power of two below: scaling and its inverse are then exact.
    const float scale = exp2f(fminf(floorf(log2f(fullScale) - log2f(sum)), maxScaleExponent)),
                inverse = 1 / scale;
    for (int i = threadIdx.x; i < 2 * volume; i += blockDim.x) planes[i] = 0;
    __syncthreads();
    for (std::uint32_t p = task.begin + threadIdx.x; p < task.end; p += blockDim.x) {
      const float2 c = scaled<float>(values[points.permutation[p]], scale);
      int at[3] = {};
      float fraction[3] = {};
      for (int d = 0; d < Dims; ++d) {
        const auto place = placeOf(points, d, p);
        at[d] = place.first - tile.origin[d];
        fraction[d] = place.fraction;
      }
      forEachCell<Dims, Cells>(
          table, fraction, [&](int iy, int iz) { return tile.row(at[1] + iy, at[2] + iz) + at[0]; },
          [&](int row, int ix, float weight) {
            atomicAdd(re + row + ix, __float2int_rn(c.x * weight));
            atomicAdd(im + row + ix, __float2int_rn(c.y * weight));
          });
    }
    __syncthreads();
    float2* const image = grid + (set.image + b) * (std::int64_t(size.x) * size.y * size.z);
    forEachTileCell<Dims>(tile, size, [&](int i, std::int64_t to) {
      if (re[i] == 0 && im[i] == 0) return;
      if (sums) {
        addWhole(sums + 2 * to, double(re[i]) * inverse * whole);
        addWhole(sums + 2 * to + 1, double(im[i]) * inverse * whole);
      } else {
        addGlobal(image + to, float2{float(re[i]) * inverse, float(im[i]) * inverse});
      }
    });
    __syncthreads();
  }
}

// Points of a task at most. n of them leave half a unit of rounding each in W^d cells, and the unit
// is at most 2^-29 of their sum, which is at most sqrt(n) times the root of their sum of squares:
// noise of n 2^-29 sqrt(W^d / 6) relative to the samples, as if spread over the grid, of which the
// image has noiseGain times as much.
int taskPoints(const MethodSetup<float>& setup) {
  constexpr double share = 0.4;  // as a rule there is half as much noise
  // These leave less than rounding of each cell's sum does.
  constexpr int minPoints = 16, unitExponent = -29, components = 2, roundingSquares = 12;
  const double ofPoint =
      std::ldexp(std::sqrt(setup.touchedCells() * components / roundingSquares), unitExponent) *
      setup.noiseGain;
  const double most = std::max<double>(minPoints, share * setup.predicted / ofPoint);
  return int(std::min<double>(maxTaskPoints(setup), most));
}

std::array<int, 3> fixedBins(const MethodSetup<float>& setup) {
  std::array<int, 3> bin{};
  switch (setup.dims) {
    case 1:
      bin = binsOr(setup, {1024, 1, 1});
      break;
    case 2:
      bin = binsOr(setup, {32, 32, 1});
      break;
    default:
      bin = binsOr(setup, {16, 8, 8});
      break;
  }
  // Tiles leave room for three blocks a multiprocessor, so that others compute while one flushes
  // its tile.
  return fittingBin(setup, bin, sizeof(float2), sharedOfBlock(setup.device, 3));
}

class SpreadFixedPoint : public GridMethod<float> {
 public:
  explicit SpreadFixedPoint(const MethodSetup<float>& setup)
      : setup_(setup), bins_(fixedBins(setup)), padded_(paddedBin(setup, bins_)) {}
  void setPoints(const PointSource<float>& points, cudaStream_t stream) override {
    points_ = points.orders->order(bins_, stream);
    tasks_.build(points_.binStart, points_.allBins(), points_.count, taskPoints(setup_), stream);
    if (!setup_.reproducible) return;
    sums_.resize(2 * setup_.cells());
    largest_.resize(1);
  }
  void execute(const MethodCall<float>& call) override {
    if (call.range.points() == 0) return;
    if (!setup_.reproducible) return spread(call.in, call.out, int(call.batch), call, nullptr);
    for (std::int64_t b = 0; b < call.batch; ++b) {
      const float2* const in = call.in + b * points_.count;
      float2* const out = call.out + b * setup_.cells();
      largest_.zero(call.stream);
      findLargest(in, points_.count, largest_.data(), call.notFinite, call.stream);
      sums_.zero(call.stream);
      spread(in, out, 1, call, sums_.data());
      addSums<<<blocksFor(setup_.cells()), threadsPerBlock, 0, call.stream>>>(
          sums_.data(), setup_.cells(), largest_.data(), points_.count, out);
      checkLaunch("adding the sums to the grid");
    }
  }
  // Integers add without rounding.
  Summation summation(std::int64_t) const override { return {taskPoints(setup_), 1}; }
  std::int64_t memory() const override { return tasks_.memory() + sums_.bytes() + largest_.bytes(); }
  std::string description() const override {
    return "tiles of " + sizeText(bins_, 3) + ", 32-bit integers, " + std::to_string(taskPoints(setup_)) +
           " points a task" + (setup_.reproducible ? ", tiles by 64-bit integers" : "");
  }

 private:
  void spread(const float2* in, float2* out, int batch, const MethodCall<float>& call,
              unsigned long long* sums) {
    const std::size_t shared = std::size_t(volume(padded_)) * 2 * sizeof(int);
    const TaskRange tasks = tasks_.range(points_, call.range);
    dispatchCells(setup_.dims, setup_.kernelCells(), [&]<int Dims, int Cells>() {
      const auto kernel = spreadFixed<Dims, Cells>;
      allowShared(kernel, shared);
      kernel<<<imageBlocks(tasks, batch), threadsPerBlock, shared, call.stream>>>(
          setup_.table, points_, tasks, in, out, setup_.gridSize(),
          make_int3(padded_[0], padded_[1], padded_[2]), batch, call.range, call.notFinite, sums,
          largest_.data());
    });
    checkLaunch("spreading");
  }

  MethodSetup<float> setup_;
  std::array<int, 3> bins_, padded_;
  OrderedPoints<float> points_;
  TaskList tasks_;
  // Only in reproducible plans: [cell, re and im] of an image, and its largest sample.
  DeviceBuffer<unsigned long long> sums_;
  DeviceBuffer<float> largest_;
};

MethodFactory<float> factory() {
  MethodFactory<float> f;
  f.method = Method::fixedPoint;
  f.direction = GridDirection::spread;
  f.refusal = [](const MethodSetup<float>& s) {
    const std::int64_t bytes = volume(paddedBin(s, fixedBins(s))) * std::int64_t(sizeof(float2));
    if (bytes > s.device.sharedPerBlock) return tooLittleShared(bytes, s.device.sharedPerBlock);
    if (s.reproducible && s.sets > 1)
      return std::string("sums of 64 bits hold one image only, and several sets of points are set together");
    if (maxTaskPoints(s) > maxTaskSize)
      return "at most " + std::to_string(maxTaskSize) +
             " points a subproblem keep its integers from overflowing";
    return std::string();
  };
  f.make = [](const MethodSetup<float>& s) -> std::unique_ptr<GridMethod<float>> {
    return std::make_unique<SpreadFixedPoint>(s);
  };
  f.takesSets = true;
  f.bins = [](const MethodSetup<float>& s) { return fixedBins(s); };
  f.memory = [](const MethodSetup<float>& s, std::int64_t points) {
    const auto bins = fixedBins(s);
    return PointOrders<float>::estimate(s, bins, points) +
           TaskList::estimate(s.sets * binCountOf(s, bins), points, taskPoints(s)) +
           (s.reproducible ? 2 * s.cells() * std::int64_t(sizeof(std::uint64_t)) : 0);
  };
  // A task's tile is added to the grid besides, a cell in the time that gm-sort's rank gives one.
  f.rank = [](const MethodSetup<float>& s) {
    return 0.001 * s.touchedCells() + 0.01 * double(volume(paddedBin(s, fixedBins(s)))) / taskPoints(s);
  };
  return f;
}

const bool registered = registerMethod(factory());

}  // namespace
}  // namespace spokelab::gpu
