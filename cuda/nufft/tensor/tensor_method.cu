// The tensor methods as a plan sees them: one order of the points for both directions, the scale of
// fp16 operands.
#include <algorithm>
#include <cmath>

#include "cuda/device/instructions.cuh"
#include "cuda/device/values/largest.h"
#include "cuda/nufft/tensor/tensor.h"

namespace spokelab::gpu {
namespace {

// Ratio of the relative l2 error that fp16 pairs add to the error model's float rounding for the
// same kernel and grid (measured in 3-D at alpha 2, 1.5 and 1.25: 1925, 1974, 1931; deapodization
// at small alpha magnifies both). fp16 pairs are used where aliasing leaves room for their error.
constexpr double halfOverFloat = 2000;

template <class Real>
bool useHalf(const MethodSetup<Real>& setup) {
  return sizeof(Real) == 4 && std::hypot(setup.predicted, halfOverFloat * setup.rounding) <= setup.accuracy;
}

template <class Real>
TensorLayout<Real> layoutFor(const MethodSetup<Real>& setup) {
  return tensorLayout<Real>(setup.dims, {setup.grid[0], setup.grid[1], setup.grid[2]}, *setup.kernel,
                            useHalf(setup));
}

template <class Real>
class TensorMethod : public GridMethod<Real> {
 public:
  TensorMethod(const MethodSetup<Real>& setup, GridDirection direction)
      : direction_(direction), layout_(layoutFor(setup)) {
    if (sizeof(Real) == 4 && direction == GridDirection::spread) largest_.resize(1);
  }

  void setPoints(const PointSource<Real>& source, cudaStream_t stream) override {
    arrangeColumns(layout_, source.count);
    order_ = source.orders->template own<TensorOrder<Real>>();
    order_->setPoints(layout_, source, stream);
  }

  void execute(const MethodCall<Real>& call) override {
    const TensorPoints<Real> points = order_->view();
    if (points.count == 0) return;
    if (direction_ == GridDirection::interpolate) {
      tensorInterpolate(layout_, points, call.in, call.out, int(call.batch), call.energy, call.stream);
      return;
    }
    if constexpr (std::is_same_v<Real, float>) {
      const std::int64_t count = call.batch * points.count;
      largest_.zero(call.stream);
      findLargest(call.in, count, largest_.data(), call.notFinite, call.stream);
    }
    tensorSpread(layout_, points, call.in, call.out, int(call.batch), largest_.data(), call.stream);
  }

  // A task has about these points, or more where there are many millions.
  Summation summation(std::int64_t) const override {
    constexpr std::int64_t taskPoints = 512, productPoints = sizeof(Real) == 8 ? 4 : 16;
    return {taskPoints, taskPoints / productPoints};
  }
  bool needsEnergy() const override { return sizeof(Real) == 4; }
  // The order is shared, and counted by PointOrders.
  std::int64_t memory() const override { return largest_.bytes(); }
  std::string description() const override {
    return std::string("columns ") + std::to_string(layout_.blockX) + "x" + std::to_string(layout_.blockY) +
           (layout_.classes == 2 ? " in halves" : "") +
           (sizeof(Real) == 8 ? ", DMMA"
            : layout_.half    ? ", fp16"
                              : ", fp16 heads and tails");
  }

 private:
  GridDirection direction_;
  TensorLayout<Real> layout_;
  std::shared_ptr<TensorOrder<Real>> order_;
  DeviceBuffer<float> largest_;
};

template <class Real>
std::string refusal(const MethodSetup<Real>& setup) {
  constexpr int needed = sizeof(Real) == 8 ? minDoubleProducts : minHalfProducts;
  if (setup.device.capability < needed)
    return "tensor cores of this precision need compute capability " + capabilityText(needed);
  if (!isEntire(setup.kernel->type())) return "this kernel is not a short polynomial over its whole support";
  if (setup.linear) return "tensor cores take kernel values from a polynomial";
  if (setup.dims == 1) return "1-D grids have no columns";
  if (!tensorSupports<Real>(setup.dims, {setup.grid[0], setup.grid[1], setup.grid[2]}, setup.kernel->type(),
                            setup.width, maxTensorPoints - 1))
    return "the kernel is too wide or the grid too small for columns of 16 x 16 cells";
  return {};
}

template <class Real, GridDirection direction>
bool registerTensor() {
  MethodFactory<Real> f;
  f.method = Method::tensor;
  f.direction = direction;
  if (direction == GridDirection::spread)
    f.disorder = "columns are added to the grid by atomic additions";
  else if (sizeof(Real) == 4)
    f.disorder = "the scale of its half precision follows from a sum by atomic additions";
  f.refusal = refusal<Real>;
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<TensorMethod<Real>>(s, direction);
  };
  f.memory = [](const MethodSetup<Real>& s, std::int64_t points) {
    TensorLayout<Real> layout = layoutFor(s);
    arrangeColumns(layout, points);
    return TensorOrder<Real>::estimate(layout, points);
  };
  f.pointBytes = [](const MethodSetup<Real>& s) { return TensorOrder<Real>::pointBytes(s.dims); };
  // Nanoseconds a point, measured on an H100.
  f.rank = [](const MethodSetup<Real>& s) {
    const double cells = std::ceil(s.width), slabs = s.dims == 3 ? cells : 1;
    // In 2-D a tile is loaded and flushed for a single slab.
    const double planar = s.dims == 2 ? 1.6 : 1;
    return planar * slabs * (sizeof(Real) == 8 ? 0.066 : useHalf(s) ? 0.02 : 0.025);
  };
  return registerMethod<Real>(f);
}

const bool registered[] = {
    registerTensor<float, GridDirection::spread>(), registerTensor<float, GridDirection::interpolate>(),
    registerTensor<double, GridDirection::spread>(), registerTensor<double, GridDirection::interpolate>()};

}  // namespace
}  // namespace spokelab::gpu
