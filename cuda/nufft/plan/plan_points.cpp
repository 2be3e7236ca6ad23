// Points of the GPU's plan, one set or several, from the host or the device; and the memory that
// calls work in.
#include <algorithm>
#include <string>

#include "cuda/device/device_pointer.h"
#include "cuda/device/values/convert.h"
#include "cuda/nufft/plan/plan.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/plan/resolve.h"

namespace spokelab::gpu {

template <class Real>
void CudaNufft<Real>::setPoints(const PlanPoints& given) {
  requireShape(given, problem_);
  const std::span<const double> coordinates = given.coordinates;
  const double* const there = given.onDevice ? coordinates.data() : given.placed;
  if (there && !coordinates.empty()) requireDevicePointer(there, "points");
  if (!given.offsets.empty() && !given.onDevice) requireFinitePoints(given, problem_.dims, 0);
  begin(std::int64_t(coordinates.size()) / problem_.dims);
  Scope scope(*this, "set points", given.stream);
  if (sets() > 1)
    sets_.set(given.offsets, scope.stream);
  else
    sets_.setOne(count_);
  // A Toeplitz operator makes its point spread function from the points later, a finer plan takes
  // them.
  const bool needsThem =
      design_.options.normal != NormalMethod::gridded && design_.options.normal != NormalMethod::later;
  const bool held = !given.onDevice || given.scaled() || needsThem;
  if (!there) {
    coordinates_.upload(coordinates.data(), std::int64_t(coordinates.size()), scope.stream);
    scope.clock.mark(Stage::transfer, double(coordinates.size_bytes()));
  } else if (held) {
    keepCoordinates(there, scope);
  }
  if (given.scaled()) divideRows(coordinates_.data(), count_, problem_.dims, given.divisors, scope.stream);
  order(held ? coordinates_.data() : there, scope);
  scope.end();
  if (scope.clock.waits() || !given.onDevice) finishOnHost(scope.stream);
}

// Refuses before anything is allocated, so that a plan that does not fit leaves the device, and its
// points, as they were.
template <class Real>
void CudaNufft<Real>::begin(std::int64_t count) {
  constexpr std::int64_t maxPoints = std::int64_t(UINT32_MAX) - 1;
  if (count > maxPoints)
    throw Error("Cannot set the points of a transform",
                "more than " + std::to_string(maxPoints) + " points in one plan",
                "Split the points over several plans");
  if (count > checked_) {
    const std::int64_t needed = design_.memory(problem_, count) - (grid_.bytes() - grid_.ownBytes());
    if (design_.options.memoryLimit > 0 && needed > design_.options.memoryLimit)
      throw Error("Cannot set the points of a transform",
                  "it takes " + megabytesText(needed) + ", the limit is " +
                      megabytesText(design_.options.memoryLimit),
                  "Choose another method or a smaller oversampling ratio, or raise the limit");
    const std::int64_t available = freeMemory() + memory();
    if (needed > available)
      throw Error("Cannot set the points of a transform",
                  "it takes " + megabytesText(needed) + ", the GPU has " + megabytesText(available) + " free",
                  "Use fewer points at a time, a smaller oversampling ratio, or the CPU");
    checked_ = count;
  }
  ready_ = spreadWaits_ = crowdWaits_ = false;
  count_ = count;
  graphs_.forget();
  finer_.reset();
  normal_.forgetPoints();
}

// Calls of the finer plan are ordered after this plan's calls, so that its points are complete when
// they run.
template <class Real>
CudaNufft<Real>* CudaNufft<Real>::finerPlan() {
  if (design_.options.normal == NormalMethod::gridded || meetsNormalAccuracy(design_.options, design_.error))
    return nullptr;
  if (finer_) return finer_.get();
  if (!holdsCoordinates_)
    throw Error("Cannot apply the normal operator",
                "the plan was made for its transforms, and keeps no points for a finer one",
                "Plan with the normal operator \"gridded\"");
  NufftOptions options = withGriddedNormal(request_);
  const std::int64_t limit = options.memoryLimit;
  if (limit > 0) options.memoryLimit = std::max<std::int64_t>(1, limit - memory());
  auto finer = std::make_unique<CudaNufft>(device_, problem_, options);
  finer->takePoints(*this);
  return (finer_ = std::move(finer)).get();
}

template <class Real>
void CudaNufft<Real>::takePoints(CudaNufft& other) {
  begin(other.count_);
  synchronize(other.waitForLastCall());
  const SpanScope unbooked(SpanCut::stages);
  Scope scope(*this, "set points", nullptr);
  if (sets() > 1)
    sets_.set(other.sets_.offsets(), scope.stream);
  else
    sets_.setOne(count_);
  coordinates_.resize(count_ * problem_.dims);
  check(cudaMemcpyAsync(coordinates_.data(), other.coordinates_.data(), std::size_t(coordinates_.bytes()),
                        cudaMemcpyDeviceToDevice, scope.stream),
        "copying points");
  order(coordinates_.data(), scope);
  normal_.takeWeights(other.normal_, scope.stream);
  scope.end();
  finishOnHost(scope.stream);
}

template <class Real>
PointSource<Real> CudaNufft<Real>::pointSource(const double* coordinates) {
  return {coordinates, count_, &orders_, sets_.view(), sets_.largest()};
}

template <class Real>
void CudaNufft<Real>::order(const double* coordinates, Scope& scope) {
  // Below this number, copying the coordinates is faster than looking for crowded points and
  // sorting for a spreading that may never happen (H100, 391,682 points in 2-D: 0.069 ms with the
  // copy, 0.080 without).
  constexpr std::int64_t fewPoints = std::int64_t(1) << 19;
  orders_.reset(coordinates, count_, flags_.data() + pointsNotFinite, {grid_.data(), grid_.bytes()},
                sets_.view());
  crowd_.forget();
  const bool held = coordinates == coordinates_.data();
  spreadWaits_ = design_.spreadsLater && (held || count_ <= fewPoints);
  if (spreadWaits_)
    interpolate_->setPoints(pointSource(coordinates), scope.stream);
  else
    orderForBoth(pointSource(coordinates), scope.stream);
  // Coordinates are read twice: for the keys, and in order.
  const double read = double(count_ * problem_.dims) * sizeof(double);
  scope.clock.mark(Stage::sort, 2 * read + double(count_) * orderBytes(*design_.spread));
  holdsCoordinates_ = held || spreadWaits_ || crowdWaits_;
  if (holdsCoordinates_ && !held) keepCoordinates(coordinates, scope);
  ready_ = true;
  info_.description = description();
  updateMemoryInfo();
}

template <class Real>
void CudaNufft<Real>::orderForBoth(const PointSource<Real>& source, cudaStream_t stream) {
  crowd_.look(source, spread_->summation(count_), stream);
  // A stored matrix takes a stable order, which then serves the other direction as well.
  const bool interpolateFirst = storesMatrix(design_.interpolate->method);
  (interpolateFirst ? interpolate_ : spread_)->setPoints(source, stream);
  (interpolateFirst ? spread_ : interpolate_)->setPoints(source, stream);
  if (!crowd_.found()) return;
  crowdWaits_ = design_.spreadsLater;
  if (!crowdWaits_) crowd_.gather(source, spareMemory(), stream);
}

template <class Real>
void CudaNufft<Real>::keepCoordinates(const double* points, Scope& scope) {
  const std::int64_t values = count_ * problem_.dims;
  coordinates_.resize(values);
  check(cudaMemcpyAsync(coordinates_.data(), points, std::size_t(values) * sizeof(double),
                        cudaMemcpyDeviceToDevice, scope.stream),
        "copying points");
  scope.clock.mark(Stage::transfer, 2.0 * double(values) * sizeof(double));
}

// Runs outside of recordings only: the first of several equal calls is not recorded, and does this
// work.
template <class Real>
void CudaNufft<Real>::prepareSpreading(Scope& scope) {
  orders_.moved(coordinates_.data());
  const PointSource<Real> source = pointSource(coordinates_.data());
  if (spreadWaits_) {
    crowd_.look(source, spread_->summation(count_), scope.stream);
    spread_->setPoints(source, scope.stream);
    crowdWaits_ = crowd_.found();
    spreadWaits_ = false;
  }
  if (crowdWaits_) crowd_.gather(source, spareMemory(), scope.stream);
  crowdWaits_ = false;
  scope.clock.mark(Stage::sort, 0);
  info_.description = description();
}

template <class Real>
std::int64_t CudaNufft<Real>::spareMemory() const {
  const std::int64_t limit = design_.options.memoryLimit;
  return limit > 0 ? std::min(limit - memory(), freeMemory()) : freeMemory();
}

template <class Real>
void CudaNufft<Real>::requirePoints() const {
  if (!ready_)
    throw Error("The transform has no points", "none were set, or setting them failed", "Set points first");
}

template <class Real>
void CudaNufft<Real>::finishOnHost(cudaStream_t stream) {
  int found[flagCount] = {};
  flags_.download(found, flagCount, stream);
  synchronize(stream);
  if (!found[pointsNotFinite] && !found[dataNotFinite]) return;
  flags_.zero(stream);
  synchronize(stream);
  if (found[pointsNotFinite]) {
    ready_ = false;
    throw Error("Cannot set the points of a transform", "a coordinate is not a finite number",
                "Check the trajectory for NaN and infinity");
  }
  throw Error("The transform gave no finite result",
              "its input holds NaN or infinity, or leaves the precision's range",
              "Check the data, or use double precision");
}

template <class Real>
std::int64_t CudaNufft<Real>::workspaceBytes() const {
  return grid_.bytesWith(design_.options.normal == NormalMethod::gridded ? largestPass(Side::samples) : 0);
}

template <class Real>
void CudaNufft<Real>::setWorkspace(void* lent, std::int64_t bytes) {
  if (lent) requireDevicePointer(lent, "bytes to work in");
  synchronize(waitForLastCall());
  grid_.lend(lent, bytes, workspaceBytes());
  if (sets() > 1) zeroGrid(stream_.get());
  orders_.lend({grid_.data(), grid_.bytes()});
  graphs_.forget();
  samples_.release();
  updateMemoryInfo();
}

template <class Real>
void CudaNufft<Real>::requireWorkspace() const {
  if (grid_.isLent()) grid_.require(workspaceBytes());
}

template <class Real>
void CudaNufft<Real>::zeroGrid(cudaStream_t stream) {
  check(cudaMemsetAsync(grid_.data(), 0, std::size_t(grid_.bytes()), stream), "clearing a grid");
}

template <class Real>
Complex<Real>* CudaNufft<Real>::passSamples() {
  if (grid_.isLent() && design_.options.normal == NormalMethod::gridded) return grid_.samples();
  samples_.resize(largestPass(Side::samples));
  return samples_.data();
}

template <class Real>
Complex<Real>* CudaNufft<Real>::passImages() {
  requireWorkspace();
  staging_[1].resize(largestPass(Side::images));
  return staging_[1].data();
}

// The class is instantiated in plan.cpp, which does not see these.
template void CudaNufft<float>::setPoints(const PlanPoints&);
template CudaNufft<float>* CudaNufft<float>::finerPlan();
template void CudaNufft<float>::takePoints(CudaNufft<float>&);
template void CudaNufft<float>::begin(std::int64_t);
template void CudaNufft<float>::order(const double*, Scope&);
template void CudaNufft<float>::keepCoordinates(const double*, Scope&);
template void CudaNufft<float>::orderForBoth(const PointSource<float>&, cudaStream_t);
template void CudaNufft<float>::prepareSpreading(Scope&);
template PointSource<float> CudaNufft<float>::pointSource(const double*);
template std::int64_t CudaNufft<float>::spareMemory() const;
template void CudaNufft<float>::requirePoints() const;
template void CudaNufft<float>::finishOnHost(cudaStream_t);
template std::int64_t CudaNufft<float>::workspaceBytes() const;
template void CudaNufft<float>::setWorkspace(void*, std::int64_t);
template void CudaNufft<float>::requireWorkspace() const;
template void CudaNufft<float>::zeroGrid(cudaStream_t);
template Complex<float>* CudaNufft<float>::passSamples();
template Complex<float>* CudaNufft<float>::passImages();
template void CudaNufft<double>::setPoints(const PlanPoints&);
template CudaNufft<double>* CudaNufft<double>::finerPlan();
template void CudaNufft<double>::takePoints(CudaNufft<double>&);
template void CudaNufft<double>::begin(std::int64_t);
template void CudaNufft<double>::order(const double*, Scope&);
template void CudaNufft<double>::keepCoordinates(const double*, Scope&);
template void CudaNufft<double>::orderForBoth(const PointSource<double>&, cudaStream_t);
template void CudaNufft<double>::prepareSpreading(Scope&);
template PointSource<double> CudaNufft<double>::pointSource(const double*);
template std::int64_t CudaNufft<double>::spareMemory() const;
template void CudaNufft<double>::requirePoints() const;
template void CudaNufft<double>::finishOnHost(cudaStream_t);
template std::int64_t CudaNufft<double>::workspaceBytes() const;
template void CudaNufft<double>::setWorkspace(void*, std::int64_t);
template void CudaNufft<double>::requireWorkspace() const;
template void CudaNufft<double>::zeroGrid(cudaStream_t);
template Complex<double>* CudaNufft<double>::passSamples();
template Complex<double>* CudaNufft<double>::passImages();

}  // namespace spokelab::gpu
