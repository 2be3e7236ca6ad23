// Interpolation in 1-D: one thread a point, points sorted to the cell, so that a warp reads a few
// neighbouring cells through the L1 cache, whatever their number; a kernel for every width.
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/points/locate.cuh"
#include "cuda/nufft/spread/cells.h"

namespace spokelab::gpu {
namespace {

template <class Real, int Cells>
__global__ void __launch_bounds__(threadsPerBlock)
    interpolateCells(const __grid_constant__ KernelTable<Real> table,
                     const __grid_constant__ OrderedPoints<Real> points,
                     const Complex<Real>* __restrict__ grid, Complex<Real>* __restrict__ samples, int size,
                     int batch) {
  const std::int64_t p = globalThread();
  // The last threads do what the last point's does, so that coefficients are read once a warp.
  const std::int64_t q = min(p, points.count - 1);
  const std::uint32_t to = points.permutation[q];
  const auto place = placeOf(points, 0, q);
  Real weight[Cells];
  kernelWeights<Cells, true>(table, place.fraction, weight);
  const bool wraps = place.first > size - Cells;
  for (int b = 0; b < batch; ++b) {
    const Complex<Real>* const image = grid + b * std::int64_t(size);
    Complex<Real> sum{0, 0};
#pragma unroll
    for (int j = 0; j < Cells; ++j) {
      const int cell = place.first + j;
      const Complex<Real> v = __ldg(image + (wraps ? wrapCell(cell, size) : cell));
      sum.x += v.x * weight[j];
      sum.y += v.y * weight[j];
    }
    if (p == q) samples[b * points.count + to] = sum;
  }
}

template <class Real>
class InterpolateCells : public GridMethod<Real> {
 public:
  explicit InterpolateCells(const MethodSetup<Real>& setup) : setup_(setup) {}
  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(cellBins, stream);
  }
  void execute(const MethodCall<Real>& call) override {
    if (points_.count == 0) return;
    dispatchWidth(setup_.kernelCells(), [&]<int Cells>() {
      interpolateCells<Real, Cells><<<blocksFor(points_.count), threadsPerBlock, 0, call.stream>>>(
          setup_.table, points_, call.in, call.out, setup_.grid[0], int(call.batch));
    });
    checkLaunch("interpolating");
  }
  std::int64_t memory() const override { return 0; }
  std::string description() const override { return "points sorted to the cell"; }

 private:
  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
};

template <class Real>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::cell;
  f.direction = GridDirection::interpolate;
  f.refusal = cellRefusal<Real>;
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<InterpolateCells<Real>>(s);
  };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    return PointOrders<Real>::estimate(s, cellBins, points);
  };
  f.rank = [](const MethodSetup<Real>& s) { return 0.0008 * sizeof(Real) / 4 * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float>()), registerMethod(factory<double>())};

}  // namespace
}  // namespace spokelab::gpu
