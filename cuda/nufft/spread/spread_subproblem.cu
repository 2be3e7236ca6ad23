// SM: each subproblem (at most M_sub points of one bin) is spread into a padded bin in shared
// memory by float atomics, which is then added to the grid. Source: [cufinufft] III.A, steps 1 to
// 3. Bins are the paper's, halved until the padded bin fits the shared memory of one block.
#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/points/set_place.cuh"
#include "cuda/nufft/points/tasks.h"
#include "cuda/nufft/spread/tile.cuh"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

template <class Real, int Dims, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadSubproblem(const __grid_constant__ KernelTable<Real> table,
                     const __grid_constant__ OrderedPoints<Real> points, const TaskRange tasks,
                     const Complex<Real>* __restrict__ samples, Complex<Real>* __restrict__ grid, int3 size,
                     int3 padded, int batch, const __grid_constant__ SetRange range) {
  const Task* const own = taskOfBlock(tasks);
  if (!own) return;
  extern __shared__ __align__(16) unsigned char memory[];
  Complex<Real>* const cells = reinterpret_cast<Complex<Real>*>(memory);
  const Task task = *own;
  const Tile tile = tileOf(points, task.bin, padded);
  const SetPlace set = placeOfBin(points, range, task.bin, batch);
  for (int b = int(blockIdx.y); b < batch; b += int(gridDim.y)) {
    for (int i = threadIdx.x; i < tile.volume(); i += blockDim.x) cells[i] = {0, 0};
    __syncthreads();
    for (std::uint32_t p = task.begin + threadIdx.x; p < task.end; p += blockDim.x) {
      const Complex<Real> c = samples[set.first + b * set.points + points.permutation[p]];
      int at[3] = {};
      Real fraction[3] = {};
      for (int d = 0; d < Dims; ++d) {
        const auto place = placeOf(points, d, p);
        at[d] = place.first - tile.origin[d];
        fraction[d] = place.fraction;
      }
      forEachCell<Dims, Cells>(
          table, fraction, [&](int iy, int iz) { return cells + tile.row(at[1] + iy, at[2] + iz) + at[0]; },
          [&](Complex<Real>* row, int ix, Real weight) { addShared(row + ix, scaled<Real>(c, weight)); });
    }
    __syncthreads();
    Complex<Real>* const image = grid + (set.image + b) * (std::int64_t(size.x) * size.y * size.z);
    forEachTileCell<Dims>(tile, size, [&](int i, std::int64_t to) {
      const Complex<Real> v = cells[i];
      if (v.x != 0 || v.y != 0) addGlobal(image + to, v);
    });
    __syncthreads();
  }
}

template <class Real>
std::array<int, 3> subproblemBins(const MethodSetup<Real>& setup) {
  return fittingBin(setup, sortBins(setup), sizeof(Complex<Real>), setup.device.sharedPerBlock);
}

template <class Real>
class SpreadSubproblem : public GridMethod<Real> {
 public:
  explicit SpreadSubproblem(const MethodSetup<Real>& setup)
      : setup_(setup), bins_(subproblemBins(setup)), padded_(paddedBin(setup, bins_)) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(bins_, stream);
    tasks_.build(points_.binStart, points_.allBins(), points_.count, maxTaskPoints(setup_), stream);
  }
  void execute(const MethodCall<Real>& call) override {
    if (call.range.points() == 0) return;
    const std::size_t shared = std::size_t(volume(padded_)) * sizeof(Complex<Real>);
    const TaskRange tasks = tasks_.range(points_, call.range);
    dispatchCells(setup_.dims, setup_.kernelCells(), [&]<int Dims, int Cells>() {
      const auto kernel = spreadSubproblem<Real, Dims, Cells>;
      allowShared(kernel, shared);
      kernel<<<imageBlocks(tasks, call.batch), threadsPerBlock, shared, call.stream>>>(
          setup_.table, points_, tasks, call.in, call.out, setup_.gridSize(),
          make_int3(padded_[0], padded_[1], padded_[2]), int(call.batch), call.range);
    });
    checkLaunch("spreading");
  }
  Summation summation(std::int64_t) const override { return {maxTaskPoints(setup_), maxTaskPoints(setup_)}; }
  std::int64_t memory() const override { return tasks_.memory(); }
  std::string description() const override {
    return "bins " + sizeText(bins_, 3) + ", " + std::to_string(maxTaskPoints(setup_)) +
           " points a subproblem";
  }

 private:
  MethodSetup<Real> setup_;
  std::array<int, 3> bins_, padded_;
  OrderedPoints<Real> points_;
  TaskList tasks_;
};

template <class Real>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::subproblem;
  f.direction = GridDirection::spread;
  f.disorder = "points and tiles are added by atomic additions";
  f.refusal = [](const MethodSetup<Real>& s) {
    const std::int64_t bytes = volume(paddedBin(s, subproblemBins(s))) * std::int64_t(sizeof(Complex<Real>));
    return bytes > s.device.sharedPerBlock ? tooLittleShared(bytes, s.device.sharedPerBlock) : std::string();
  };
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<SpreadSubproblem<Real>>(s);
  };
  f.takesSets = true;
  f.bins = [](const MethodSetup<Real>& s) { return subproblemBins(s); };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    const auto bins = subproblemBins(s);
    return PointOrders<Real>::estimate(s, bins, points) +
           TaskList::estimate(s.sets * binCountOf(s, bins), points, maxTaskPoints(s));
  };
  f.rank = [](const MethodSetup<Real>& s) { return (sizeof(Real) == 8 ? 0.027 : 0.0066) * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float>()), registerMethod(factory<double>())};

}  // namespace
}  // namespace spokelab::gpu
