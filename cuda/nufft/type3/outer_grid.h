// The grid between the sources of a transform of type 3 and its inner transform (engine's type3.h):
// the spreading and interpolation of a plan without its FFT. Cell i of an axis is the inner image's
// pixel i - floor(G/2): places are shifted by floor(G/2), so the inner transform needs no copy.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cuda/device/buffer.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/spread/crowd.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab::gpu {

template <class Real>
class OuterGrid {
 public:
  using Value = Complex<Real>;

  // batch: of the transform. Throws Error where no method serves the grid, or memory is short.
  OuterGrid(const DeviceInfo& device, const Outer& outer, std::int64_t batch);
  OuterGrid(const OuterGrid&) = delete;
  OuterGrid& operator=(const OuterGrid&) = delete;

  const GpuPlanDesign<Real>& design() const { return design_; }
  std::int64_t imagesPerPass() const { return design_.imagesPerPass; }  // divides the batch

  // places: host, [source, dims], cycles per cell, within a period. Synchronises.
  void setPoints(std::span<const double> places, cudaStream_t stream);
  // Spreads the images of a pass: values [image, source] to grid() [image, z, y, x].
  void spread(const Value* values, int* notFinite, cudaStream_t stream);
  void interpolate(Value* values, int* notFinite, cudaStream_t stream);
  Value* grid() const { return grid_.data(); }

  std::int64_t memory() const;      // device bytes held
  std::string description() const;  // "spread sm (...), interpolate gm-sort (...)"

 private:
  MethodCall<Real> call(const Value* in, Value* out, int* notFinite, cudaStream_t stream) const;

  GpuPlanDesign<Real> design_;
  PointOrders<Real> orders_;
  std::unique_ptr<GridMethod<Real>> spread_, interpolate_;
  Crowd<Real> crowd_;
  DeviceBuffer<Value> grid_;
  DeviceBuffer<int> pointsNotFinite_;  // always 0: extentOf() checked the points
  std::int64_t count_ = 0;
};

extern template class OuterGrid<float>;
extern template class OuterGrid<double>;

}  // namespace spokelab::gpu
