// Interpolation from tiles in shared memory: a block loads the padded bin of its task once, and its
// points read from there. Two forms, which differ in their bins:
//   sm       The mirror of SM spreading ([cufinufft] III.B judged its gain limited; the tuner
//            decides).
//   sector   gpuNUFFT's sectors of 8 cells a side ([gnufftw] IV.B.2), in the order of the sectors
//            that spread; a task is a virtual sector.
#include "cuda/device/instructions.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/points/set_place.cuh"
#include "cuda/nufft/points/tasks.h"
#include "cuda/nufft/spread/owned.cuh"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

// Word: the type of the fixed-point places.
template <class Real, int Dims, int Cells, class Word>
__global__ void __launch_bounds__(threadsPerBlock)
    interpolateSubproblem(const __grid_constant__ KernelTable<Real> table,
                          const __grid_constant__ OrderedPoints<Real> points, const Word* __restrict__ places,
                          const TaskRange tasks, const Complex<Real>* __restrict__ grid,
                          Complex<Real>* __restrict__ samples, int3 size, int3 padded, int batch,
                          const __grid_constant__ SetRange range) {
  const Task* const own = taskOfBlock(tasks);
  if (!own) return;
  extern __shared__ __align__(16) unsigned char memory[];
  Complex<Real>* const cells = reinterpret_cast<Complex<Real>*>(memory);
  const Task task = *own;
  const Tile tile = tileOf(points, task.bin, padded);
  const SetPlace set = placeOfBin(points, range, task.bin, batch);
  for (int b = int(blockIdx.y); b < batch; b += int(gridDim.y)) {
    const Complex<Real>* const image = grid + (set.image + b) * (std::int64_t(size.x) * size.y * size.z);
    forEachTileCell<Dims>(tile, size, [&](int i, std::int64_t from) {
      copyToShared<sizeof(Complex<Real>)>(cells + i, image + from);
    });
    waitForCopies();
    __syncthreads();
    for (std::uint32_t p = task.begin + threadIdx.x; p < task.end; p += blockDim.x) {
      // Loaded early: it arrives while the cells are summed.
      const std::uint32_t to = points.permutation[p];
      int at[3] = {};
      Real fraction[3] = {};
      for (int d = 0; d < Dims; ++d) {
        const auto place = placed<Real>(places[d * points.count + p], points.bits, points.step);
        at[d] = place.first - tile.origin[d];
        fraction[d] = place.fraction;
      }
      const Complex<Real> sum = weightedSum<Dims, Cells>(
          table, fraction, [&](int iy, int iz) { return cells + tile.row(at[1] + iy, at[2] + iz) + at[0]; },
          [](const Complex<Real>* row, int ix) { return row[ix]; });
      samples[set.first + b * set.points + to] = sum;
    }
    __syncthreads();
  }
}

// Tiles leave room for two blocks a multiprocessor, so that one computes while the other loads.
template <class Real, bool Sectors>
std::array<int, 3> tileBins(const MethodSetup<Real>& setup) {
  if constexpr (Sectors) return sectorBins(setup);
  return fittingBin(setup, sortBins(setup), sizeof(Complex<Real>), sharedOfBlock(setup.device, 2));
}

template <class Real, bool Sectors>
class InterpolateTiles : public GridMethod<Real> {
 public:
  explicit InterpolateTiles(const MethodSetup<Real>& setup)
      : setup_(setup), bins_(tileBins<Real, Sectors>(setup)), padded_(paddedBin(setup, bins_)) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(bins_, stream);
    tasks_.build(points_.binStart, points_.allBins(), points_.count, maxTaskPoints(setup_), stream);
  }
  void execute(const MethodCall<Real>& call) override {
    if (call.range.points() == 0) return;
    if constexpr (sizeof(Real) == 4)
      points_.narrow ? launch(points_.narrow, call) : launch(points_.wide, call);
    else
      launch(points_.wide, call);
    checkLaunch("interpolating");
  }
  std::int64_t memory() const override { return tasks_.memory(); }
  std::string description() const override {
    return (Sectors ? "sectors of " : "tiles of ") + sizeText(bins_, 3) + ", " +
           std::to_string(maxTaskPoints(setup_)) + (Sectors ? " points a virtual sector" : " points a task");
  }

 private:
  template <class Word>
  void launch(const Word* places, const MethodCall<Real>& call) {
    const std::size_t shared = std::size_t(volume(padded_)) * sizeof(Complex<Real>);
    const TaskRange tasks = tasks_.range(points_, call.range);
    dispatchCells<ownLoops<Real>>(setup_.dims, setup_.kernelCells(), [&]<int Dims, int Cells>() {
      const auto kernel = interpolateSubproblem<Real, Dims, Cells, Word>;
      allowShared(kernel, shared);
      kernel<<<imageBlocks(tasks, call.batch), threadsPerBlock, shared, call.stream>>>(
          setup_.table, points_, places, tasks, call.in, call.out, setup_.gridSize(),
          make_int3(padded_[0], padded_[1], padded_[2]), int(call.batch), call.range);
    });
  }

  MethodSetup<Real> setup_;
  std::array<int, 3> bins_, padded_;
  OrderedPoints<Real> points_;
  TaskList tasks_;
};

template <class Real, bool Sectors>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Sectors ? Method::sector : Method::subproblem;
  f.direction = GridDirection::interpolate;
  f.refusal = [](const MethodSetup<Real>& s) {
    const std::int64_t bytes =
        volume(paddedBin(s, tileBins<Real, Sectors>(s))) * std::int64_t(sizeof(Complex<Real>));
    return bytes > s.device.sharedPerBlock ? tooLittleShared(bytes, s.device.sharedPerBlock) : std::string();
  };
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<InterpolateTiles<Real, Sectors>>(s);
  };
  f.takesSets = true;
  f.bins = [](const MethodSetup<Real>& s) { return tileBins<Real, Sectors>(s); };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    const auto bins = tileBins<Real, Sectors>(s);
    return PointOrders<Real>::estimate(s, bins, points) +
           TaskList::estimate(s.sets * binCountOf(s, bins), points, maxTaskPoints(s));
  };
  // Nanoseconds a point; the values of double in 2-D were measured on an H100.
  f.rank = [](const MethodSetup<Real>& s) {
    const double cell = sizeof(Real) == 4 ? 0.001 : s.dims == 2 ? 0.0007 : 0.002;
    // A sector has few points for the cells that it loads.
    return (Sectors ? 0.2 : 0) + cell * s.touchedCells();
  };
  return f;
}

const bool registered[] = {registerMethod(factory<float, false>()), registerMethod(factory<float, true>()),
                           registerMethod(factory<double, false>()), registerMethod(factory<double, true>())};

}  // namespace
}  // namespace spokelab::gpu
