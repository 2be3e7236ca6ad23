#include "cuda/nufft/type3/type3.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "cuda/device/buffer.h"
#include "cuda/device/device_pointer.h"
#include "cuda/device/stream.h"
#include "cuda/nufft/plan/plan.h"
#include "cuda/nufft/type3/multiply.h"
#include "cuda/nufft/type3/outer_grid.h"
#include "engine/core/error.h"
#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/type3/type3_points.h"

namespace spokelab::gpu {
namespace {

std::string ratiosText(const NufftOptions& o) {
  return "alpha " + numberText(o.alpha) + ", W " + numberText(o.width);
}

template <class Real>
class CudaType3 final : public Type3Transform<Real> {
 public:
  using Host = std::complex<Real>;
  using Value = Complex<Real>;

  CudaType3(const DeviceInfo& device, const Type3Problem& problem, const NufftOptions& options)
      : device_(device), problem_(problem), options_(options) {
    checkOptions(problem, options);
    info_.backend = gpuBackend;
    notFinite_.resize(1);
    notFinite_.zero(stream_.get());
    synchronize(stream_.get());
  }
  ~CudaType3() override { cudaStreamSynchronize(stream_.get()); }

  const Type3Problem& problem() const override { return problem_; }
  const Type3Info& info() const override { return info_; }
  std::int64_t sources() const override { return points_ ? points_->sources : 0; }
  std::int64_t targets() const override { return points_ ? points_->targets : 0; }

  void setPoints(std::span<const double> sources, std::span<const double> targets) override {
    const Span range("set points", SpanKind::range);
    countOfPoints(sources, problem_.dims, "sources");
    countOfPoints(targets, problem_.dims, "targets");
    const Boxes boxes{extentOf(sources, problem_.dims, "sources"),
                      extentOf(targets, problem_.dims, "targets")};
    const auto choices =
        outerChoices(problem_, options_, gpuBackend, boxes.sources, sources, boxes.targets, targets);
    points_ = firstPossible(choices, [&](const Outer& o) { return pointsOn(o, boxes, sources, targets); });
    describe();
  }

  void forward(const Host* in, Host* out, const Execution& execution) override {
    run("type 3 forward", in, out, sources(), targets(), execution,
        [this](const Value* from, Value* to, cudaStream_t stream) {
          Points& p = *points_;
          multiply(from, p.before, false, p.values.data(), stream);
          p.outer->spread(p.values.data(), notFinite_.data(), stream);
          p.inner->forward(hostType(p.outer->grid()), hostType(to), onDevice(stream));
          multiply(to, p.after, false, to, stream);
        });
  }

  void adjoint(const Host* in, Host* out, const Execution& execution) override {
    run("type 3 adjoint", in, out, targets(), sources(), execution,
        [this](const Value* from, Value* to, cudaStream_t stream) {
          Points& p = *points_;
          multiply(from, p.after, true, p.values.data(), stream);
          p.inner->adjoint(hostType(p.values.data()), hostType(p.outer->grid()), onDevice(stream));
          p.outer->interpolate(to, notFinite_.data(), stream);
          multiply(to, p.before, true, to, stream);
        });
  }

 private:
  // Everything that follows from the points.
  struct Points {
    std::int64_t sources = 0, targets = 0;
    std::unique_ptr<OuterGrid<Real>> outer;
    std::unique_ptr<CudaNufft<Real>> inner;
    DeviceBuffer<Value> before, after;  // factors of sources and targets
    DeviceBuffer<Value> values;         // of a pass, of sources or targets, times their factors
    double error = 0;

    std::int64_t ownMemory() const {
      return outer->memory() + before.bytes() + after.bytes() + values.bytes();
    }
  };

  static Host* hostType(Value* values) { return reinterpret_cast<Host*>(values); }
  static Execution onDevice(cudaStream_t stream) { return {.devicePointers = true, .stream = stream}; }

  void multiply(const Value* in, const DeviceBuffer<Value>& factor, bool conjugate, Value* out,
                cudaStream_t stream) {
    multiplyByFactors<Real>(in, factor.data(), conjugate, out, factor.size(), points_->outer->imagesPerPass(),
                            notFinite_.data(), stream);
  }

  std::unique_ptr<Points> pointsOn(const Outer& outer, const Boxes& boxes, std::span<const double> sources,
                                   std::span<const double> targets) {
    auto made = std::make_unique<Points>();
    Points& p = *made;
    p.sources = std::int64_t(sources.size()) / problem_.dims;
    p.targets = std::int64_t(targets.size()) / problem_.dims;
    requireRoom(product(outer.grid) + std::max(p.sources, p.targets) + p.sources + p.targets);
    // A limit is kept by passes of one image.
    p.outer =
        std::make_unique<OuterGrid<Real>>(device_, outer, options_.memoryLimit > 0 ? 1 : problem_.batch);
    const GpuPlanDesign<Real>& design = p.outer->design();
    const int threads = options_.threads;

    const PlacedPoints<Real> starts = placeSources<Real>(problem_, outer, boxes, sources, threads);
    const PlacedPoints<Real> ends =
        placeTargets<Real>(problem_, outer, *design.kernel, boxes, targets, threads);
    upload(starts.factor, p.before);
    upload(ends.factor, p.after);
    p.values.resize(p.outer->imagesPerPass() * std::max(p.sources, p.targets));
    p.outer->setPoints(starts.places, stream_.get());  // waits: what was uploaded has arrived

    const double amplified = amplificationOf(*design.kernel, problem_.dims, ends.factor);
    NufftProblem asked = innerProblem(problem_, outer.grid);
    asked.batch = p.outer->imagesPerPass();
    NufftOptions inner =
        innerOptions(asked, outer, optionsForInner(problem_, options_), gpuBackend, amplified, p.targets);
    if (inner.memoryLimit > 0)  // what grid and values have left
      inner.memoryLimit = std::max<std::int64_t>(1, inner.memoryLimit - p.ownMemory());
    p.inner = std::make_unique<CudaNufft<Real>>(device_, asked, inner);
    p.inner->setPoints(ends.places);
    p.error = predictType3Error(outer, design.error.worstPixel, amplified, p.inner->info().error.relativeL2);
    return made;
  }

  void upload(const Buffer<Host>& from, DeviceBuffer<Value>& to) const {
    to.upload(reinterpret_cast<const Value*>(from.data()), std::int64_t(from.size()), stream_.get());
  }

  // Checks memory for this number of values of one image. Throws Error.
  void requireRoom(std::int64_t values) const {
    constexpr const char* summary = "Cannot plan the transform on the GPU";
    constexpr const char* remedy = "Split the points, check their units, or use the CPU";
    const std::int64_t bytes = values * std::int64_t(sizeof(Value)), free = freeMemory();
    checkMemory(bytes, options_.memoryLimit, summary, "Split the points, or raise the limit");
    if (bytes > free)
      throw Error(summary,
                  "it takes " + megabytesText(bytes) + ", the GPU has " + megabytesText(free) + " free",
                  remedy);
  }

  void describe() {
    const Points& p = *points_;
    const PlanInfo& inner = p.inner->info();
    const GpuPlanDesign<Real>& design = p.outer->design();
    info_.outer = design.options;
    info_.inner = inner.options;
    info_.grid = design.grid;
    info_.error = p.error;
    info_.memory = inner.memory + p.ownMemory();
    info_.description = "type 3, " + std::string(gpuBackend) + ' ' + p.outer->description() + ", grid " +
                        sizeText(design.grid, problem_.dims) + " (" + ratiosText(design.options) +
                        "), its transform " + ratiosText(inner.options);
  }

  // Works through the batch: `work` sees device memory, one pass at a time.
  template <class Work>
  void run(const char* what, const Host* in, Host* out, std::int64_t inLength, std::int64_t outLength,
           const Execution& execution, const Work& work) {
    if (!points_) throw Error("Cannot transform", "no points are set", "Set sources and targets first");
    const bool onHost = !execution.devicePointers;
    if (!onHost && inLength > 0) requireDevicePointer(in, "values that go in");
    if (!onHost && outLength > 0) requireDevicePointer(out, "values that come out");
    const Span range(what, SpanKind::range);
    cudaStream_t const stream =
        execution.stream ? static_cast<cudaStream_t>(execution.stream) : stream_.get();
    last_.wait(stream);
    const std::int64_t images = points_->outer->imagesPerPass();
    if (onHost) {
      staging_[0].resize(images * inLength);
      staging_[1].resize(images * outLength);
    }
    for (std::int64_t b = 0; b < problem_.batch; b += images) {
      const auto* const from = reinterpret_cast<const Value*>(in + b * inLength);
      auto* const to = reinterpret_cast<Value*>(out + b * outLength);
      if (onHost && inLength > 0) staging_[0].upload(from, images * inLength, stream);
      work(onHost ? staging_[0].data() : from, onHost ? staging_[1].data() : to, stream);
      if (onHost && outLength > 0) staging_[1].download(to, images * outLength, stream);
    }
    last_.record(stream);
    if (onHost) finishOnHost(stream);
  }

  void finishOnHost(cudaStream_t stream) {
    int found = 0;
    notFinite_.download(&found, 1, stream);
    synchronize(stream);
    if (!found) return;
    notFinite_.zero(stream);
    synchronize(stream);
    throw Error("The transform gave no finite result",
                "its input holds NaN or infinity, or leaves the precision's range",
                "Check the data, or use double precision");
  }

  const DeviceInfo device_;
  const Type3Problem problem_;
  const NufftOptions options_;
  Stream stream_;
  Event last_{false};
  DeviceBuffer<int> notFinite_;
  DeviceBuffer<Value> staging_[2];
  std::unique_ptr<Points> points_;  // null: none are set
  Type3Info info_;
};

}  // namespace

template <class Real>
std::unique_ptr<Type3Transform<Real>> makeCudaType3(const DeviceInfo& device, const Type3Problem& problem,
                                                    const NufftOptions& options) {
  return std::make_unique<CudaType3<Real>>(device, problem, options);
}

template std::unique_ptr<Type3Transform<float>> makeCudaType3<float>(const DeviceInfo&, const Type3Problem&,
                                                                     const NufftOptions&);
template std::unique_ptr<Type3Transform<double>> makeCudaType3<double>(const DeviceInfo&, const Type3Problem&,
                                                                       const NufftOptions&);

}  // namespace spokelab::gpu
