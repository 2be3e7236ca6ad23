// Tiles whose cells have owners, so that shared memory needs no atomics: each thread owns (x, y)
// columns of its tile, all threads walk through the same points, and a thread adds where a point
// touches its columns. Two forms:
//   sector (input-driven: gpuNUFFT, [gnufftw] IV.B.2)
//     A tile is a bin with the kernel's overhang, its points are the bin's, at most M_sub a block
//     (virtual sectors balance the load). Tiles overlap, so they are added to the grid atomically.
//   output-driven
//     A tile is the bin alone, its points are the points of all bins that reach into it. Every cell
//     is written once, nothing is cleared or added, and every run gives the same bits (except for
//     crowded points, which crowd.cu adds). Reproducible plans use it: they sum in double, and need
//     no help with crowds.
#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/tasks.h"
#include "cuda/nufft/spread/owned.cuh"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

template <class Real, int Dims, int Images>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadSectors(const __grid_constant__ KernelTable<Real> table,
                  const __grid_constant__ OrderedPoints<Real> points, const Task* tasks,
                  const std::uint32_t* taskCount, const Complex<Real>* __restrict__ samples,
                  Complex<Real>* __restrict__ grid, int3 size, int3 padded, int batch) {
  if (blockIdx.x >= *taskCount) return;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& stage = *reinterpret_cast<Stage<Real, Images>*>(memory);
  Complex<Real>* const cells = reinterpret_cast<Complex<Real>*>(memory + sizeof(stage));
  const Task task = tasks[blockIdx.x];
  const Tile tile = tileOf(points, task.bin, padded);
  const int volume = tile.volume();
  for (int b = 0; b < batch; b += Images) {
    const int images = min(Images, batch - b);
    for (int i = threadIdx.x; i < Images * volume; i += blockDim.x) cells[i] = {0, 0};
    __syncthreads();
    addRange<Dims>(stage, table, points, samples + b * points.count, images, task.begin, task.end, tile, size,
                   cells);
    for (int i = 0; i < images; ++i) {
      Complex<Real>* const image = grid + (b + i) * (std::int64_t(size.x) * size.y * size.z);
      forEachTileCell<Dims>(tile, size, [&](int cell, std::int64_t to) {
        const Complex<Real> v = cells[i * volume + cell];
        if (v.x != 0 || v.y != 0) addGlobal(image + to, v);
      });
    }
    __syncthreads();
  }
}

// Sum: Complex<Real>, or in reproducible plans complex double.
template <class Real, int Dims, class Sum, int Images>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadOutputs(const __grid_constant__ KernelTable<Real> table,
                  const __grid_constant__ OrderedPoints<Real> points,
                  const Complex<Real>* __restrict__ samples, Complex<Real>* __restrict__ grid, int3 size,
                  int batch) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& stage = *reinterpret_cast<Stage<Real, Images>*>(memory);
  static_assert(sizeof(stage) % alignof(Sum) == 0);
  Sum* const cells = reinterpret_cast<Sum*>(memory + sizeof(stage));
  Tile tile = tileOf(points, blockIdx.x, make_int3(points.bin[0], points.bin[1], points.bin[2]));
  const int extent[3] = {size.x, size.y, size.z};
  // This bin, and how many bins before it reach into it.
  int index[3], back[3];
  for (int d = 0; d < 3; ++d) {
    tile.size[d] = min(tile.size[d], extent[d] - tile.origin[d]);
    index[d] = tile.origin[d] / points.bin[d];
    back[d] = 0;
    if (d < Dims) {
      // Walk down, round the edge, until cells - 1 cells are covered or all bins are taken.
      int covered = 0, bin = index[d];
      while (covered < table.cells - 1 && back[d] < points.bins[d] - 1) {
        bin = bin > 0 ? bin - 1 : points.bins[d] - 1;
        covered += min(points.bin[d], extent[d] - bin * points.bin[d]);
        ++back[d];
      }
    }
  }
  const int volume = tile.volume();
  for (int b = 0; b < batch; b += Images) {
    const int images = min(Images, batch - b);
    for (int i = threadIdx.x; i < Images * volume; i += blockDim.x) cells[i] = {0, 0};
    __syncthreads();
    for (int dz = back[2]; dz >= 0; --dz)
      for (int dy = back[1]; dy >= 0; --dy)
        for (int dx = back[0]; dx >= 0; --dx) {
          const int x = index[0] - dx, y = index[1] - dy, z = index[2] - dz;
          const int wx = x < 0 ? x + points.bins[0] : x, wy = y < 0 ? y + points.bins[1] : y,
                    wz = z < 0 ? z + points.bins[2] : z;
          const std::int64_t bin = (std::int64_t(wz) * points.bins[1] + wy) * points.bins[0] + wx;
          addRange<Dims>(stage, table, points, samples + b * points.count, images, points.binStart[bin],
                         points.binStart[bin + 1], tile, size, cells);
        }
    for (int i = 0; i < images; ++i) {
      Complex<Real>* const image = grid + (b + i) * (std::int64_t(size.x) * size.y * size.z);
      forEachTileCell<Dims>(tile, size, [&](int cell, std::int64_t to) {
        const Sum v = cells[i * volume + cell];
        image[to] = {Real(v.x), Real(v.y)};
      });
    }
    __syncthreads();
  }
}

// Output-driven tiles are larger than sectors, because neighbours' points are staged again for
// every tile they reach.
template <class Real>
std::array<int, 3> ownedBins(const MethodSetup<Real>& setup, bool sector) {
  if (sector) return sectorBins(setup);
  const std::array<int, 3> bin = setup.dims == 1   ? std::array{256, 1, 1}
                                 : setup.dims == 2 ? std::array{16, 16, 1}
                                                   : std::array{16, 16, 8};
  return fittingBin(setup, binsOr(setup, bin), sumBytes(setup), roomForTiles<Real, 1>(setup));
}

template <class Real, bool Sector>
class SpreadOwned : public GridMethod<Real> {
 public:
  explicit SpreadOwned(const MethodSetup<Real>& setup)
      : setup_(setup), bins_(ownedBins(setup, Sector)), padded_(paddedBin(setup, bins_)) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(bins_, stream);
    if (Sector)
      tasks_.build(points_.binStart, points_.binCount(), points_.count, maxTaskPoints(setup_), stream);
  }
  bool accumulates() const override { return Sector; }
  Summation summation(std::int64_t) const override {
    return Sector ? Summation{maxTaskPoints(setup_), maxTaskPoints(setup_)} : Summation{};
  }
  void execute(const MethodCall<Real>& call) override {
    if (Sector && points_.count == 0) return;
    if (setup_.dims == 1)
      launch<1>(call);
    else if (setup_.dims == 2)
      launch<2>(call);
    else
      launch<3>(call);
    checkLaunch("spreading");
  }
  std::int64_t memory() const override { return tasks_.memory(); }
  std::string description() const override {
    return (Sector ? "sectors of " : "tiles of ") + sizeText(bins_, 3) +
           (Sector ? ", " + std::to_string(maxTaskPoints(setup_)) + " points a virtual sector" : "");
  }

 private:
  std::int64_t tileBytes() const { return volume(Sector ? padded_ : bins_) * sumBytes(setup_); }
  template <int Dims, int Images = 4>
  void launch(const MethodCall<Real>& call) {
    if constexpr (Images > 1)
      if (call.batch <= Images / 2 || Images * tileBytes() > roomForTiles<Real, Images>(setup_))
        return launch<Dims, Images / 2>(call);
    const std::size_t shared = sizeof(Stage<Real, Images>) + std::size_t(Images * tileBytes());
    if constexpr (Sector) {
      const auto kernel = spreadSectors<Real, Dims, Images>;
      allowShared(kernel, shared);
      kernel<<<tasks_.limit(), threadsPerBlock, shared, call.stream>>>(
          setup_.table, points_, tasks_.tasks(), tasks_.count(), call.in, call.out, setup_.gridSize(),
          make_int3(padded_[0], padded_[1], padded_[2]), int(call.batch));
    } else {
      const auto kernel = setup_.reproducible ? spreadOutputs<Real, Dims, double2, Images>
                                              : spreadOutputs<Real, Dims, Complex<Real>, Images>;
      allowShared(kernel, shared);
      kernel<<<unsigned(points_.binCount()), threadsPerBlock, shared, call.stream>>>(
          setup_.table, points_, call.in, call.out, setup_.gridSize(), int(call.batch));
    }
  }

  MethodSetup<Real> setup_;
  std::array<int, 3> bins_, padded_;
  OrderedPoints<Real> points_;
  TaskList tasks_;
};

template <class Real, bool Sector>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Sector ? Method::sector : Method::outputDriven;
  f.direction = GridDirection::spread;
  if (Sector) f.disorder = "sectors are added to the grid by atomic additions";
  f.refusal = [](const MethodSetup<Real>& s) {
    const std::int64_t bytes =
        volume(paddedBin(s, ownedBins(s, Sector))) * sumBytes(s) + std::int64_t(sizeof(Stage<Real, 1>));
    return bytes > s.device.sharedPerBlock ? tooLittleShared(bytes, s.device.sharedPerBlock) : std::string();
  };
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<SpreadOwned<Real, Sector>>(s);
  };
  f.bins = [](const MethodSetup<Real>& s) { return ownedBins(s, Sector); };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    const auto bins = ownedBins(s, Sector);
    return PointOrders<Real>::estimate(s, bins, points) +
           (Sector ? TaskList::estimate(binCountOf(s, bins), points, maxTaskPoints(s)) : 0);
  };
  // Every thread reads every point of its tile. Output-driven tiles cannot be cut, so one crowded
  // tile delays all. The weight assumes a few tiles with points half as dense again, as
  // trajectories have.
  f.rank = [](const MethodSetup<Real>& s) {
    return (Sector ? 1.0 : 10.0) * (0.2 + 0.002 * sizeof(Real) / 4 * s.touchedCells());
  };
  return f;
}

const bool registered[] = {registerMethod(factory<float, true>()), registerMethod(factory<float, false>()),
                           registerMethod(factory<double, true>()), registerMethod(factory<double, false>())};

}  // namespace
}  // namespace spokelab::gpu
