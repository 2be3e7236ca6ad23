#include "cuda/nufft/plugin/plugin_nufft.h"

#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"
#include "cuda/device/device_pointer.h"
#include "cuda/device/device_scope.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/device/stream.h"
#include "cuda/device/values/random_values.h"
#include "cuda/nufft/plugin/plugin_kernels.h"
#include "cuda/nufft/points/point_sets.h"
#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

template <class Real>
class GpuPluginNufft final : public Nufft<Real> {
 public:
  using Host = std::complex<Real>;
  using Value = Complex<Real>;

  explicit GpuPluginNufft(const GpuPluginRequest& request)
      : problem_(request.problem),
        plan_(request.code, request.plugin, request.problem, request.options, request.watcher,
              {currentDevice(), stream_.get()}),
        info_(plan_.info()),
        notFinite_(1) {}
  // What the plug-in queued ends before its plan does.
  ~GpuPluginNufft() override { cudaStreamSynchronize(stream_.get()); }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }

  // Waits until all coordinates are known to be numbers: nobody knows what the plug-in does else.
  void setPoints(const PlanPoints& given) override {
    const Span timed("set points", SpanKind::call);
    requireShape(given, problem_);
    const auto dims = std::size_t(problem_.dims);
    const auto count = std::int64_t(given.coordinates.size() / dims);
    const double* from = given.onDevice ? given.coordinates.data() : given.placed;
    if (from && count > 0) requireDevicePointer(from, "points");
    const Turn turn(*this, given.stream);
    StageClock clock(pool_, stream_.get());
    points_ = 0;
    weights_.release();
    if (!from) {
      coordinates_.upload(given.coordinates.data(), std::int64_t(given.coordinates.size()), stream_.get());
      clock.mark(Stage::transfer, double(given.coordinates.size_bytes()));
      from = coordinates_.data();
    }
    std::array<double*, 3> axes{};
    for (std::size_t d = 0; d < dims; ++d) {
      axes_[d].resize(count);
      axes[d] = axes_[d].data();
    }
    notFinite_.zero(stream_.get());
    splitAxes(from, count, problem_.dims, given.divisors, axes, notFinite_.data(), stream_.get());
    int notFinite = 0;
    notFinite_.download(&notFinite, 1, stream_.get());
    synchronize(stream_.get());
    if (notFinite)
      throw Error("Cannot set the points of a transform", "a coordinate is not a finite number",
                  "Check the trajectory");
    plan_.setPoints(count, {axes[0], axes[1], axes[2]});
    clock.mark(Stage::sort, double(count) * double(dims) * sizeof(double));
    clock.finish();
    points_ = count;
    sets_.setOne(count);
    updateMemory();
  }

  void forward(const Host* image, Host* samples, const Execution& execution) override {
    const Span timed("forward", SpanKind::call);
    run(execution, image, imageValues(), samples, sampleValues(),
        [&](const Value* in, Value* out) { toSamples(in, out); });
  }
  void adjoint(const Host* samples, Host* image, const Execution& execution) override {
    const Span timed("adjoint", SpanKind::call);
    run(execution, samples, sampleValues(), image, imageValues(),
        [&](const Value* in, Value* out) { toImages(in, out); });
  }
  void normal(const Host* in, Host* out, const Execution& execution) override {
    const Span timed("normal", SpanKind::call);
    run(execution, in, imageValues(), out, imageValues(),
        [&](const Value* from, Value* to) { toImagesAgain(from, to); });
  }

  void setWeights(std::span<const double> weights) override {
    requireWeights(weights.size(), points_);
    const std::vector<Real> converted(weights.begin(), weights.end());
    weights_.release();
    weights_.upload(converted.data(), std::int64_t(converted.size()), stream_.get());
    synchronize(stream_.get());
    updateMemory();
  }

  // A plug-in tells no stages: its time is the total's alone.
  DeviceRuns deviceRuns(Direction direction, int runs, bool /*repeated*/) override {
    const bool normal = direction == Direction::normal;
    random(images_, imageValues());
    random(samples_, sampleValues());
    const auto execute = [&] {
      if (normal) return toImagesAgain(images_.data(), images_.data());
      if (direction != Direction::adjoint) toSamples(images_.data(), samples_.data());
      if (direction != Direction::forward) toImages(samples_.data(), images_.data());
    };
    execute();
    std::vector<Event> events(std::size_t(runs) + 1);
    events.front().record(stream_.get());
    for (std::size_t i = 1; i < events.size(); ++i) {
      execute();
      events[i].record(stream_.get());
    }
    synchronize(stream_.get());
    DeviceRuns result;
    for (std::size_t i = 1; i < events.size(); ++i)
      result.seconds.push_back(events[i].secondsSince(events[i - 1]));
    updateMemory();
    return result;
  }

 private:
  // One call on the plan's stream, between what its caller queued before and queues after it.
  class Turn {
   public:
    Turn(GpuPluginNufft& plan, void* callers) : plan_(plan), callers_(static_cast<cudaStream_t>(callers)) {
      if (!callers_) return;
      plan_.event_.record(callers_);
      plan_.event_.wait(plan_.stream_.get());
    }
    // Without a check: it also runs where the call has thrown.
    ~Turn() {
      if (!callers_) return;
      try {
        plan_.event_.record(plan_.stream_.get());
        plan_.event_.wait(callers_);
      } catch (const Error&) {
        cudaGetLastError();
      }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    GpuPluginNufft& plan_;
    cudaStream_t callers_;
  };

  std::int64_t imageValues() const { return problem_.batch * problem_.pixels(); }
  std::int64_t sampleValues() const { return problem_.batch * points_; }

  template <class Work>
  void run(const Execution& execution, const Host* in, std::int64_t inputs, Host* out, std::int64_t outputs,
           const Work& work) {
    const Turn turn(*this, execution.stream);
    if (execution.devicePointers) {
      if (inputs > 0) requireDevicePointer(in, "values that go in");
      if (outputs > 0) requireDevicePointer(out, "values that come out");
      return work(reinterpret_cast<const Value*>(in), reinterpret_cast<Value*>(out));
    }
    in_.upload(reinterpret_cast<const Value*>(in), inputs, stream_.get());
    out_.resize(outputs);
    work(in_.data(), out_.data());
    out_.download(reinterpret_cast<Value*>(out), outputs, stream_.get());
    synchronize(stream_.get());
    updateMemory();
  }

  // Without points the results are exact, whatever the plug-in does.
  void toSamples(const Value* images, Value* samples) {
    if (points_ > 0) plan_.forward(images, samples);
  }
  void toImages(const Value* samples, Value* images) {
    if (points_ > 0) return plan_.adjoint(samples, images);
    check(cudaMemsetAsync(images, 0, std::size_t(imageValues()) * sizeof(Value), stream_.get()),
          "clearing an image");
  }
  void toImagesAgain(const Value* in, Value* out) {
    between_.resize(sampleValues());
    toSamples(in, between_.data());
    if (weights_.size() > 0)
      multiplySamples<Real>(between_.data(), weights_.data(), sets_.view(), sets_.range(0, 1), problem_.batch,
                            stream_.get());
    toImages(between_.data(), out);
  }

  void random(DeviceBuffer<Value>& values, std::int64_t count) {
    values.resize(count);
    fillRandom(values.data(), count, stream_.get());
  }

  void updateMemory() {
    info_.memory = plan_.info().memory + coordinates_.bytes() + weights_.bytes() + in_.bytes() +
                   out_.bytes() + between_.bytes() + images_.bytes() + samples_.bytes();
    for (const DeviceBuffer<double>& axis : axes_) info_.memory += axis.bytes();
  }

  NufftProblem problem_;
  Stream stream_;
  Event event_{false};
  EventPool pool_;
  PluginPlan plan_;
  PlanInfo info_;
  DeviceSets sets_;  // one
  DeviceBuffer<int> notFinite_;
  DeviceBuffer<double> coordinates_;          // from the host
  std::array<DeviceBuffer<double>, 3> axes_;  // coordinates, as the plug-in reads them
  DeviceBuffer<Real> weights_;
  DeviceBuffer<Value> in_, out_;          // of calls with host arrays
  DeviceBuffer<Value> between_;           // samples of the normal operator
  DeviceBuffer<Value> images_, samples_;  // of timed runs
  std::int64_t points_ = 0;
};

}  // namespace

AnyNufft makePluginNufft(const GpuPluginRequest& request) {
  if (request.problem.precision == Precision::single) return std::make_unique<GpuPluginNufft<float>>(request);
  return std::make_unique<GpuPluginNufft<double>>(request);
}

}  // namespace spokelab::gpu
