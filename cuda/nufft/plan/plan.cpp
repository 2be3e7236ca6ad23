#include "cuda/nufft/plan/plan.h"

#include <algorithm>
#include <string>

#include "cuda/device/device_pointer.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::gpu {
namespace {

enum Flag { pointsNotFinite, dataNotFinite, flagCount };

// What a transform by this method reads of each point, its samples apart.
template <class Real>
std::int64_t orderBytes(const MethodFactory<Real>& method, const MethodSetup<Real>& setup) {
  return method.pointBytes ? method.pointBytes(setup) : PointOrders<Real>::pointBytes(setup);
}

}  // namespace

template <class Real>
CudaNufft<Real>::CudaNufft(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options)
    : device_(device),
      problem_(problem),
      design_(device, problem, options),
      lines_(uploadLines()),
      orders_(design_.setup),
      spread_(design_.spread->make(design_.setup)),
      interpolate_(design_.interpolate->make(design_.setup)),
      crowd_(design_.setup, spread_->summation()),
      fft_(problem.dims, imageSize(), design_.setup.grid, design_.imagesPerPass, factors(), stream_.get()),
      normal_(device_, problem_, design_) {
  flags_.resize(flagCount);
  flags_.zero(stream_.get());
  energy_.resize(1);
  grid_.resize(design_.imagesPerPass * design_.setup.cells());
  describe();
}

template <class Real>
void CudaNufft<Real>::setPoints(std::span<const double> points, StageTimings* timings) {
  const auto dims = std::size_t(problem_.dims);
  if (points.size() % dims != 0)
    throw Error("Cannot set the points of a transform",
                std::to_string(points.size()) + " coordinates do not make points of " + std::to_string(dims) +
                    " dimensions",
                "Give all coordinates of each point");
  begin(std::int64_t(points.size() / dims));
  Scope scope(*this, "set points", timings, nullptr);
  coordinates_.upload(points.data(), std::int64_t(points.size()), scope.stream);
  scope.clock.mark(Stage::transfer, double(points.size_bytes()));
  order(coordinates_.data(), scope);
  scope.end();
  finishOnHost(scope.stream);
}

template <class Real>
void CudaNufft<Real>::setDevicePoints(const double* points, std::int64_t count, void* stream,
                                      StageTimings* timings) {
  if (count > 0) requireDevicePointer(points, "points");
  begin(count);
  Scope scope(*this, "set points", timings, stream);
  // A Toeplitz operator makes its point spread function from the points later.
  if (design_.options.normal != NormalMethod::gridded) {
    coordinates_.resize(count * problem_.dims);
    check(cudaMemcpyAsync(coordinates_.data(), points, std::size_t(count * problem_.dims) * sizeof(double),
                          cudaMemcpyDeviceToDevice, scope.stream),
          "copying points");
    points = coordinates_.data();
    scope.clock.mark(Stage::transfer, 2.0 * double(count * problem_.dims) * sizeof(double));
  }
  order(points, scope);
  scope.end();
  if (timings) finishOnHost(scope.stream);
}

template <class Real>
void CudaNufft<Real>::forward(const Host* image, Host* samples, const Execution& execution) {
  requirePoints();
  run("forward", execution, image, samples, problem_.pixels(), count_,
      [&](const Value* in, Value* out, Scope& scope) {
        if (count_ > 0) toSamples(in, out, scope);
      });
}

template <class Real>
void CudaNufft<Real>::adjoint(const Host* samples, Host* image, const Execution& execution) {
  requirePoints();
  run("adjoint", execution, samples, image, count_, problem_.pixels(),
      [&](const Value* in, Value* out, Scope& scope) { toImages(in, out, scope); });
}

template <class Real>
void CudaNufft<Real>::normal(const Host* in, Host* out, const Execution& execution) {
  requirePoints();
  last_.wait(stream_.get());
  const Real* const weights = normal_.weights(count_, stream_.get());
  const std::int64_t held = memory() - normal_.memory();
  const NormalMethod method = normal_.method(count_, held);
  ToeplitzOperator<Real>* const convolution =
      isToeplitz(method) ? &normal_.convolution(method, coordinates_.data(), count_, held, stream_.get())
                         : nullptr;
  info_.options.normal = method;
  if (convolution)
    info_.options.toeplitzAlpha = convolution->alpha();
  else
    samples_.resize(design_.imagesPerPass * count_);
  run("normal", execution, in, out, problem_.pixels(), problem_.pixels(),
      [&](const Value* image, Value* result, Scope& scope) {
        if (convolution) {
          convolution->apply(image, result, design_.imagesPerPass, flags_.data() + dataNotFinite, scope.clock,
                             scope.stream);
          return;
        }
        if (count_ > 0) {
          toSamples(image, samples_.data(), scope);
          if (weights) {
            multiplySamples<Real>(samples_.data(), weights, count_, design_.imagesPerPass, scope.stream);
            scope.clock.mark(
                Stage::multiply,
                double(count_) * (2.0 * double(design_.imagesPerPass) * sizeof(Value) + sizeof(Real)));
          }
        }
        toImages(samples_.data(), result, scope);
      });
  updateMemoryInfo();
}

template <class Real>
std::array<int, 3> CudaNufft<Real>::imageSize() const {
  return {int(problem_.size[0]), int(problem_.size[1]), int(problem_.size[2])};
}

template <class Real>
std::array<std::vector<double>, 3> CudaNufft<Real>::factors() const {
  std::array<std::vector<double>, 3> f{{{1}, {1}, {1}}};
  for (std::size_t d = 0; d < std::size_t(problem_.dims); ++d)
    f[d] = deapodization(*design_.kernel, problem_.size[d], design_.grid[d]);
  return f;
}

template <class Real>
void CudaNufft<Real>::requirePoints() const {
  if (!ready_)
    throw Error("The transform has no points", "none were set, or setting them failed", "Set points first");
}

template <class Real>
DeviceBuffer<Real> CudaNufft<Real>::uploadLines() {
  DeviceBuffer<Real> lines;
  if (!design_.setup.linear) return lines;
  lines.upload(design_.lines.data(), std::int64_t(design_.lines.size()), stream_.get());
  synchronize(stream_.get());
  design_.setup.table.lines = lines.data();
  return lines;
}

// Refuses before anything is allocated, so that a plan that does not fit leaves the device as it
// was.
template <class Real>
void CudaNufft<Real>::begin(std::int64_t count) {
  ready_ = false;
  constexpr std::int64_t maxPoints = std::int64_t(UINT32_MAX) - 1;
  if (count > maxPoints)
    throw Error("Cannot set the points of a transform",
                "more than " + std::to_string(maxPoints) + " points in one plan",
                "Split the points over several plans");
  if (count > checked_) {
    const std::int64_t needed = design_.memory(problem_, count);
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
  count_ = count;
  normal_.forgetPoints();
}

template <class Real>
void CudaNufft<Real>::order(const double* coordinates, Scope& scope) {
  orders_.reset(coordinates, count_, flags_.data() + pointsNotFinite, {grid_.data(), grid_.bytes()});
  const PointSource<Real> source{coordinates, count_, &orders_};
  crowd_.look(source, scope.stream);
  spread_->setPoints(source, scope.stream);
  interpolate_->setPoints(source, scope.stream);
  if (crowd_.found()) crowd_.gather(source, spareMemory(), scope.stream);
  // Coordinates are read twice: for the keys, and in order.
  const double read = double(count_ * problem_.dims) * sizeof(double);
  scope.clock.mark(Stage::sort, 2 * read + double(count_) * orderBytes(*design_.spread, design_.setup));
  ready_ = true;
  info_.description = description();
  updateMemoryInfo();
}

template <class Real>
std::int64_t CudaNufft<Real>::spareMemory() const {
  const std::int64_t limit = design_.options.memoryLimit;
  return limit > 0 ? std::min(limit - memory(), freeMemory()) : freeMemory();
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

// Works through the batch: `work` sees device memory, one pass at a time.
template <class Real>
template <class Work>
void CudaNufft<Real>::run(const char* what, const Execution& execution, const Host* in, Host* out,
                          std::int64_t inLength, std::int64_t outLength, Work&& work) {
  const bool onDevice = execution.devicePointers;
  if (onDevice && inLength > 0) requireDevicePointer(in, "values that go in");
  if (onDevice && outLength > 0) requireDevicePointer(out, "values that come out");
  Scope scope(*this, what, execution.timings, execution.stream);
  if (!onDevice) {
    staging_[0].resize(design_.imagesPerPass * inLength);
    staging_[1].resize(design_.imagesPerPass * outLength);
  }
  for (std::int64_t b = 0; b < problem_.batch; b += design_.imagesPerPass) {
    const auto* source = reinterpret_cast<const Value*>(in + b * inLength);
    auto* target = reinterpret_cast<Value*>(out + b * outLength);
    const std::size_t inBytes = std::size_t(design_.imagesPerPass * inLength) * sizeof(Value);
    const std::size_t outBytes = std::size_t(design_.imagesPerPass * outLength) * sizeof(Value);
    if (!onDevice && inBytes > 0) {
      copyToDevice(staging_[0].data(), source, inBytes, scope.stream);
      scope.clock.mark(Stage::transfer, double(inBytes));
    }
    work(onDevice ? source : staging_[0].data(), onDevice ? target : staging_[1].data(), scope);
    if (!onDevice && outBytes > 0) {
      copyToHost(target, staging_[1].data(), outBytes, scope.stream);
      scope.clock.mark(Stage::transfer, double(outBytes));
    }
  }
  scope.end();
  if (!onDevice || execution.timings) finishOnHost(scope.stream);
  updateMemoryInfo();
}

template <class Real>
MethodCall<Real> CudaNufft<Real>::call(const Value* in, Value* out, cudaStream_t stream) {
  MethodCall<Real> c;
  c.in = in;
  c.out = out;
  c.batch = design_.imagesPerPass;
  c.energy = energy_.data();
  c.notFinite = flags_.data() + dataNotFinite;
  c.stream = stream;
  return c;
}

template <class Real>
double CudaNufft<Real>::gridBytes() const {
  return double(design_.imagesPerPass * design_.setup.cells()) * sizeof(Value);
}

template <class Real>
double CudaNufft<Real>::pixelBytes() const {
  return double(design_.imagesPerPass * problem_.pixels()) * sizeof(Value);
}

template <class Real>
double CudaNufft<Real>::pointBytes(const MethodFactory<Real>& method) const {
  return double(count_) *
         double(orderBytes(method, design_.setup) + design_.imagesPerPass * std::int64_t(sizeof(Value)));
}

template <class Real>
void CudaNufft<Real>::toSamples(const Value* images, Value* samples, Scope& scope) {
  fft_.toGrid(images, grid_.data(), problem_.sign, flags_.data() + dataNotFinite,
              interpolate_->needsEnergy() ? energy_.data() : nullptr, scope.clock, scope.stream);
  interpolate_->execute(call(grid_.data(), samples, scope.stream));
  scope.clock.mark(Stage::interpolate, gridBytes() + pointBytes(*design_.interpolate));
}

template <class Real>
void CudaNufft<Real>::toImages(const Value* samples, Value* images, Scope& scope) {
  if (count_ == 0) {
    check(cudaMemsetAsync(images, 0, std::size_t(pixelBytes()), scope.stream), "clearing an image");
    scope.clock.mark(Stage::zero, pixelBytes());
    return;
  }
  if (spread_->accumulates() || crowd_.all()) {
    grid_.zero(scope.stream);
    scope.clock.mark(Stage::zero, gridBytes());
  }
  if (!crowd_.all()) {
    const Value* const others =
        crowd_.none() ? samples : crowd_.others(samples, design_.imagesPerPass, scope.stream);
    spread_->execute(call(others, grid_.data(), scope.stream));
  }
  if (!crowd_.none()) crowd_.spread(call(samples, grid_.data(), scope.stream));
  scope.clock.mark(Stage::spread, gridBytes() + pointBytes(*design_.spread));
  fft_.toImage(grid_.data(), images, -problem_.sign, flags_.data() + dataNotFinite, scope.clock,
               scope.stream);
}

template <class Real>
std::int64_t CudaNufft<Real>::memory() const {
  return lines_.bytes() + grid_.bytes() + fft_.memory() + orders_.memory() + spread_->memory() +
         interpolate_->memory() + crowd_.memory() + coordinates_.bytes() + samples_.bytes() +
         staging_[0].bytes() + staging_[1].bytes() + flags_.bytes() + normal_.memory();
}

template <class Real>
void CudaNufft<Real>::describe() {
  info_.backend = "cuda";
  info_.options = design_.options;
  info_.grid = design_.grid;
  info_.beta = design_.kernel->beta();
  info_.polynomialDegree = design_.polynomial.degree;
  info_.error = design_.error;
  info_.description = description();
  updateMemoryInfo();
}

template <class Real>
std::string CudaNufft<Real>::description() const {
  std::string text = "cuda, spread " + std::string(methodName(design_.options.spread)) + " (" +
                     spread_->description() + "), interpolate " +
                     std::string(methodName(design_.options.interpolate)) + " (" +
                     interpolate_->description() + ")";
  if (!crowd_.none()) text += ", crowded points summed in double";
  if (design_.setup.linear)
    text += ", linear table of " + std::to_string(design_.setup.table.density) + " values a cell";
  if (design_.options.reproducible) text += ", reproducible";
  if (design_.imagesPerPass > 1) text += ", " + std::to_string(design_.imagesPerPass) + " images a pass";
  return text;
}

template <class Real>
cudaStream_t CudaNufft<Real>::waitForLastCall() {
  last_.wait(stream_.get());
  return stream_.get();
}

template <class Real>
Complex<Real>* CudaNufft<Real>::passSamples() {
  samples_.resize(design_.imagesPerPass * count_);
  return samples_.data();
}

template <class Real>
Complex<Real>* CudaNufft<Real>::passImages() {
  staging_[1].resize(design_.imagesPerPass * problem_.pixels());
  return staging_[1].data();
}

template class CudaNufft<float>;
template class CudaNufft<double>;

}  // namespace spokelab::gpu
