// GM and GM-sort interpolation: one thread a point, reading the grid in global memory (through the
// caches), in the caller's order or bin-sorted. Source: [cufinufft] III.B.
// Threads do not share anything, so the block size only has to fill the device.
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/points/set_place.cuh"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

template <class Real, int Dims, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    interpolatePoints(const __grid_constant__ KernelTable<Real> table,
                      const __grid_constant__ OrderedPoints<Real> points,
                      const Complex<Real>* __restrict__ grid, Complex<Real>* __restrict__ samples, int3 size,
                      int batch, const __grid_constant__ SetRange range) {
  const std::int64_t p = range.begin + globalThread();
  if (p >= range.end) return;
  const std::int64_t j = points.permutation ? points.permutation[p] : p;
  int cell[3] = {};
  Real fraction[3] = {};
  for (int d = 0; d < Dims; ++d) {
    const auto place = placeOf(points, d, p);
    cell[d] = place.first;
    fraction[d] = place.fraction;
  }
  const std::int64_t cells = std::int64_t(size.x) * size.y * size.z;
  const SetPlace set = placeOfPoint(points.sets, range, p, batch);
  for (int b = 0; b < batch; ++b) {
    const Complex<Real>* const image = grid + (set.image + b) * cells;
    const Complex<Real> sum = weightedSum<Dims, Cells>(
        table, fraction,
        [&](int iy, int iz) {
          const int y = wrapCell(cell[1] + iy, size.y), z = wrapCell(cell[2] + iz, size.z);
          return image + (std::int64_t(z) * size.y + y) * size.x;
        },
        [&](const Complex<Real>* row, int ix) { return __ldg(row + wrapCell(cell[0] + ix, size.x)); });
    samples[set.first + b * set.points + j] = sum;
  }
}

template <class Real, bool Sorted>
class InterpolatePoint : public GridMethod<Real> {
 public:
  explicit InterpolatePoint(const MethodSetup<Real>& setup) : setup_(setup) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(Sorted ? sortBins(setup_) : std::array<int, 3>{0, 0, 0}, stream);
  }
  void execute(const MethodCall<Real>& call) override {
    if (call.range.points() == 0) return;
    dispatchCells<ownLoops<Real>>(setup_.dims, setup_.kernelCells(), [&]<int Dims, int Cells>() {
      interpolatePoints<Real, Dims, Cells>
          <<<blocksFor(call.range.points()), threadsPerBlock, 0, call.stream>>>(
              setup_.table, points_, call.in, call.out, setup_.gridSize(), int(call.batch), call.range);
    });
    checkLaunch("interpolating");
  }
  std::int64_t memory() const override { return 0; }
  std::string description() const override {
    return Sorted ? "bins " + sizeText(sortBins(setup_), 3) : "unsorted";
  }

 private:
  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
};

template <class Real, bool Sorted>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Sorted ? Method::pointSorted : Method::pointDriven;
  f.direction = GridDirection::interpolate;
  f.refusal = [](const MethodSetup<Real>&) { return std::string(); };
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<InterpolatePoint<Real, Sorted>>(s);
  };
  f.takesSets = true;
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    return PointOrders<Real>::estimate(s, Sorted ? sortBins(s) : std::array<int, 3>{0, 0, 0}, points);
  };
  f.rank = [](const MethodSetup<Real>& s) {
    return (Sorted ? 0.0012 : 0.003) * sizeof(Real) / 4 * s.touchedCells();
  };
  return f;
}

const bool registered[] = {registerMethod(factory<float, false>()), registerMethod(factory<float, true>()),
                           registerMethod(factory<double, false>()), registerMethod(factory<double, true>())};

}  // namespace
}  // namespace spokelab::gpu
