// Several sets of points of one plan (engine/nufft/problem/plan_points.h) on the device: all points
// lie one after the other, set after set, and orders keep the sets apart. A pass works on some sets
// at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/nufft/method.h"

namespace spokelab::gpu {

class DeviceSets {
 public:
  // Copies the offsets, [sets + 1], and numbers the sets of the points.
  void set(std::span<const std::int64_t> offsets, cudaStream_t stream);
  // Makes this one set of `points` points.
  void setOne(std::int64_t points);
  SetView view() const;
  SetRange range(std::int64_t first, std::int64_t count) const;
  std::span<const std::int64_t> offsets() const { return offsets_; }
  std::int64_t count() const { return std::int64_t(offsets_.size()) - 1; }
  std::int64_t points() const { return offsets_.back(); }
  std::int64_t largest() const { return largest_; }  // points of the largest set
  std::int64_t memory() const { return start_.bytes() + ofPoint_.bytes(); }
  static std::int64_t estimate(std::int64_t sets, std::int64_t points);

 private:
  std::vector<std::int64_t> offsets_{0, 0};
  std::int64_t largest_ = 0;
  bool several_ = false;
  DeviceBuffer<std::int64_t> start_;
  DeviceBuffer<std::uint32_t> ofPoint_;
};

// The samples of a pass times their weights, one for each point of all sets.
template <class Real>
void multiplySamples(Complex<Real>* samples, const Real* weights, const SetView& sets, const SetRange& range,
                     std::int64_t images, cudaStream_t stream);

}  // namespace spokelab::gpu
