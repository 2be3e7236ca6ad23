// The GPU's plan: sorted points, grid, FFT and the two methods, put together. Each call works through the
// batch in chunks, on the caller's stream or the plan's own; an event orders calls on different streams.
#include "cuda/nufft/plan/plan.h"

#include <vector>

#include "cuda/backend.h"
#include "cuda/device/buffer.h"
#include "cuda/device/stage_clock.h"
#include "cuda/nufft/fft/grid_fft.h"
#include "cuda/nufft/plan/design.h"
#include "cuda/nufft/plan/normal_form.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/recon/coils/reconstruct.h"
#include "engine/core/error.h"
#include "engine/recon/coils/coil_gridder.h"

namespace spokelab::gpu {
namespace {

enum Flag { pointsNotFinite, dataNotFinite, flagCount };

template <class Real>
class CudaNufft final : public Nufft<Real>, public DevicePointPlan, public CoilGridder {
 public:
  using Host = std::complex<Real>;
  using Value = Complex<Real>;

  CudaNufft(const DeviceInfo& device, const NufftProblem& problem, const NufftOptions& options)
      : device_(device),
        problem_(problem),
        design_(device, problem, options),
        lines_(uploadLines()),
        orders_(design_.setup),
        spread_(design_.spread->make(design_.setup)),
        interpolate_(design_.interpolate->make(design_.setup)),
        fft_(problem.dims, imageSize(), design_.setup.grid, design_.chunk, factors(), stream_.get()),
        normal_(device_, problem_, design_) {
    flags_.resize(flagCount);
    flags_.zero(stream_.get());
    energy_.resize(1);
    grid_.resize(design_.chunk * design_.setup.cells());
    describe();
  }
  ~CudaNufft() override { cudaStreamSynchronize(stream_.get()); }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return count_; }

  void setPoints(std::span<const double> points, StageTimings* timings) override {
    const auto dims = std::size_t(problem_.dims);
    if (points.size() % dims != 0)
      throw Error("Cannot set the points of a transform",
                  std::to_string(points.size()) + " coordinates do not make points of " +
                      std::to_string(dims) + " dimensions",
                  "Give all coordinates of each point");
    begin(std::int64_t(points.size() / dims));
    Scope scope(*this, timings, nullptr);
    coordinates_.upload(points.data(), std::int64_t(points.size()), scope.stream);
    scope.clock.mark(Stage::transfer, double(points.size_bytes()));
    order(coordinates_.data(), scope);
    scope.end();
    finishOnHost(scope.stream);
  }

  void setDevicePoints(const double* points, std::int64_t count, void* stream,
                       StageTimings* timings) override {
    begin(count);
    Scope scope(*this, timings, stream);
    if (design_.options.normal !=
        NormalMethod::gridded) {  // the point spread function is made from them later
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

  void forward(const Host* image, Host* samples, const Execution& execution) override {
    requirePoints();
    run(execution, image, samples, problem_.pixels(), count_, [&](const Value* in, Value* out, Scope& scope) {
      if (count_ > 0) toSamples(in, out, scope);
    });
  }

  void adjoint(const Host* samples, Host* image, const Execution& execution) override {
    requirePoints();
    run(execution, samples, image, count_, problem_.pixels(),
        [&](const Value* in, Value* out, Scope& scope) { toImages(const_cast<Value*>(in), out, scope); });
  }

  void setWeights(std::span<const double> weights) override { normal_.setWeights(weights); }

  void normal(const Host* in, Host* out, const Execution& execution) override {
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
      samples_.resize(design_.chunk * count_);
    run(execution, in, out, problem_.pixels(), problem_.pixels(),
        [&](const Value* image, Value* result, Scope& scope) {
          if (convolution) {
            convolution->apply(image, result, design_.chunk, flags_.data() + dataNotFinite, scope.clock,
                               scope.stream);
            return;
          }
          if (count_ > 0) {
            toSamples(image, samples_.data(), scope);
            if (weights) {
              multiplySamples<Real>(samples_.data(), weights, count_, design_.chunk, scope.stream);
              scope.clock.mark(Stage::multiply,
                               double(count_) * (2.0 * double(design_.chunk) * sizeof(Value) + sizeof(Real)));
            }
          }
          toImages(samples_.data(), result, scope);
        });
    info_.memory = memory();
  }

  void setGriddingWeights(std::span<const double> weights) override {
    requireWeights(std::int64_t(weights.size()), count_);
    last_.wait(stream_.get());
    combiner_.setWeights(weights, stream_.get());
  }

  void gridCoils(std::span<const cfloat* const> coils, cfloat* out, StageTimings& timings,
                 const Progress& progress) override {
    requirePoints();
    requireWeights(combiner_.weightCount(), count_);
    const std::int64_t pixels = problem_.pixels();
    samples_.resize(design_.chunk * count_);
    staging_[1].resize(design_.chunk * pixels);
    Scope scope(*this, &timings, nullptr);
    combiner_.begin(pixels, scope.stream);
    for (std::size_t c = 0; c < coils.size(); c += std::size_t(design_.chunk)) {
      progress.report(double(c) / double(coils.size()),
                      coils.size() > 1 ? "Reconstructing coils" : "Reconstructing");
      const auto part = coils.subspan(c, std::min(std::size_t(design_.chunk), coils.size() - c));
      combiner_.load(part, samples_.data(), design_.chunk, scope.clock, scope.stream);
      toImages(samples_.data(), staging_[1].data(), scope);
      if (coils.size() > 1) combiner_.add(staging_[1].data(), std::int64_t(part.size()), scope.stream);
      scope.clock.mark(Stage::multiply,
                       double(pixels) * (double(part.size()) * sizeof(Value) + 2 * sizeof(float)));
    }
    if (coils.size() > 1)
      combiner_.finish(out, scope.stream);
    else
      combiner_.keep(staging_[1].data(), out, scope.stream);
    scope.clock.mark(Stage::transfer, double(pixels) * sizeof(cfloat));
    scope.end();
    finishOnHost(scope.stream);
    info_.memory = memory();
  }

 private:
  // One call: its stream, ordered after the call before, and its clock.
  struct Scope {
    CudaNufft& plan;
    cudaStream_t stream;
    StageClock clock;
    Scope(CudaNufft& p, StageTimings* timings, void* callers)
        : plan(p),
          stream(callers ? static_cast<cudaStream_t>(callers) : p.stream_.get()),
          clock(timings, p.pool_, after(p, stream)) {}
    void end() {
      clock.finish();
      plan.last_.record(stream);
    }
    static cudaStream_t after(CudaNufft& p, cudaStream_t s) {
      p.last_.wait(s);
      return s;
    }
  };

  std::array<int, 3> imageSize() const {
    return {int(problem_.size[0]), int(problem_.size[1]), int(problem_.size[2])};
  }

  std::array<std::vector<double>, 3> factors() const {
    std::array<std::vector<double>, 3> f{{{1}, {1}, {1}}};
    for (std::size_t d = 0; d < std::size_t(problem_.dims); ++d)
      f[d] = deapodization(*design_.kernel, problem_.size[d], design_.grid[d]);
    return f;
  }

  void requirePoints() const {
    if (!ready_)
      throw Error("The transform has no points", "none were set, or setting them failed", "Set points first");
  }

  DeviceBuffer<Real> uploadLines() {
    DeviceBuffer<Real> lines;
    if (!design_.setup.linear) return lines;
    lines.upload(design_.lines.data(), std::int64_t(design_.lines.size()), stream_.get());
    synchronize(stream_.get());
    design_.setup.table.lines = lines.data();
    return lines;
  }

  // Refuses before anything is allocated, so that a plan that does not fit leaves the device as it was.
  void begin(std::int64_t count) {
    ready_ = false;
    constexpr std::int64_t largest = std::int64_t(UINT32_MAX) - 1;
    if (count > largest)
      throw Error("Cannot set the points of a transform",
                  "more than " + std::to_string(largest) + " points in one plan",
                  "Split the points over several plans");
    if (count > checked_) {
      const std::int64_t needed = design_.memory(problem_, count);
      if (design_.options.memoryLimit > 0 && needed > design_.options.memoryLimit)
        throw Error(
            "Cannot set the points of a transform",
            "it takes " + megabytes(needed) + ", the limit is " + megabytes(design_.options.memoryLimit),
            "Choose another method or a smaller oversampling ratio, or raise the limit");
      const std::int64_t available = freeMemory() + memory();
      if (needed > available)
        throw Error("Cannot set the points of a transform",
                    "it takes " + megabytes(needed) + ", the GPU has " + megabytes(available) + " free",
                    "Use fewer points at a time, a smaller oversampling ratio, or the CPU");
      checked_ = count;
    }
    count_ = count;
    normal_.forgetPoints();
  }

  void order(const double* coordinates, Scope& scope) {
    orders_.reset(coordinates, count_, flags_.data() + pointsNotFinite, {grid_.data(), grid_.bytes()});
    const PointSource<Real> source{coordinates, count_, &orders_};
    spread_->setPoints(source, scope.stream);
    interpolate_->setPoints(source, scope.stream);
    const double read = double(count_ * problem_.dims) * sizeof(double);  // for the keys, and in order
    scope.clock.mark(Stage::sort, 2 * read + double(count_) * PointOrders<Real>::pointBytes(
                                                                  design_.setup, design_.options.spread));
    ready_ = true;
    info_.memory = memory();
  }

  // Waits, and reports what kernels found. Device-pointer calls come here only where timings are asked for.
  void finishOnHost(cudaStream_t stream) {
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

  // Works through the batch: `work` sees device memory, `chunk` images at a time.
  template <class Work>
  void run(const Execution& execution, const Host* in, Host* out, std::int64_t inLength,
           std::int64_t outLength, Work&& work) {
    Scope scope(*this, execution.timings, execution.stream);
    const bool onDevice = execution.devicePointers;
    if (!onDevice) {
      staging_[0].resize(design_.chunk * inLength);
      staging_[1].resize(design_.chunk * outLength);
    }
    for (std::int64_t b = 0; b < problem_.batch; b += design_.chunk) {
      const auto* source = reinterpret_cast<const Value*>(in + b * inLength);
      auto* target = reinterpret_cast<Value*>(out + b * outLength);
      const std::size_t inBytes = std::size_t(design_.chunk * inLength) * sizeof(Value);
      const std::size_t outBytes = std::size_t(design_.chunk * outLength) * sizeof(Value);
      if (!onDevice && inBytes > 0) {
        check(cudaMemcpyAsync(staging_[0].data(), source, inBytes, cudaMemcpyHostToDevice, scope.stream),
              "copying to the GPU");
        scope.clock.mark(Stage::transfer, double(inBytes));
      }
      work(onDevice ? source : staging_[0].data(), onDevice ? target : staging_[1].data(), scope);
      if (!onDevice && outBytes > 0) {
        check(cudaMemcpyAsync(target, staging_[1].data(), outBytes, cudaMemcpyDeviceToHost, scope.stream),
              "copying from the GPU");
        scope.clock.mark(Stage::transfer, double(outBytes));
      }
    }
    scope.end();
    if (!onDevice || execution.timings) finishOnHost(scope.stream);
    info_.memory = memory();
  }

  MethodCall<Real> call(Value* samples, cudaStream_t stream) {
    MethodCall<Real> c;
    c.samples = samples;
    c.grid = grid_.data();
    c.batch = design_.chunk;
    c.energy = energy_.data();
    c.notFinite = flags_.data() + dataNotFinite;
    c.stream = stream;
    return c;
  }

  double gridBytes() const { return double(design_.chunk * design_.setup.cells()) * sizeof(Value); }
  double pixelBytes() const { return double(design_.chunk * problem_.pixels()) * sizeof(Value); }
  double pointBytes(Method method) const {
    return double(count_) * double(PointOrders<Real>::pointBytes(design_.setup, method) +
                                   design_.chunk * std::int64_t(sizeof(Value)));
  }

  void toSamples(const Value* images, Value* samples, Scope& scope) {
    fft_.toGrid(images, grid_.data(), problem_.sign, flags_.data() + dataNotFinite,
                interpolate_->needsEnergy() ? energy_.data() : nullptr, scope.clock, scope.stream);
    interpolate_->execute(call(samples, scope.stream));
    scope.clock.mark(Stage::interpolate, gridBytes() + pointBytes(design_.options.interpolate));
  }

  void toImages(Value* samples, Value* images, Scope& scope) {
    if (count_ == 0) {
      check(cudaMemsetAsync(images, 0, std::size_t(pixelBytes()), scope.stream), "clearing an image");
      scope.clock.mark(Stage::zero, pixelBytes());
      return;
    }
    if (spread_->accumulates()) {
      grid_.zero(scope.stream);
      scope.clock.mark(Stage::zero, gridBytes());
    }
    spread_->execute(call(samples, scope.stream));
    scope.clock.mark(Stage::spread, gridBytes() + pointBytes(design_.options.spread));
    fft_.toImage(grid_.data(), images, -problem_.sign, flags_.data() + dataNotFinite, scope.clock,
                 scope.stream);
  }

  std::int64_t memory() const {
    return lines_.bytes() + grid_.bytes() + fft_.memory() + orders_.memory() + spread_->memory() +
           interpolate_->memory() + coordinates_.bytes() + samples_.bytes() + staging_[0].bytes() +
           staging_[1].bytes() + flags_.bytes() + combiner_.memory() + normal_.memory();
  }

  void describe() {
    info_.backend = "cuda";
    info_.options = design_.options;
    info_.grid = design_.grid;
    info_.beta = design_.kernel->beta();
    info_.polynomialDegree = design_.polynomial.degree;
    info_.error = design_.error;
    info_.memory = memory();
    info_.description = "cuda, spread " + std::string(methodName(design_.options.spread)) + " (" +
                        spread_->description() + "), interpolate " +
                        std::string(methodName(design_.options.interpolate)) + " (" +
                        interpolate_->description() + ")";
    if (design_.setup.linear)
      info_.description +=
          ", linear table of " + std::to_string(design_.setup.table.density) + " values a cell";
    if (design_.chunk > 1) info_.description += ", " + std::to_string(design_.chunk) + " images a pass";
  }

  DeviceInfo device_;
  NufftProblem problem_;
  Design<Real> design_;
  PlanInfo info_;
  Stream stream_;
  Event last_{false};
  EventPool pool_;
  DeviceBuffer<Real> lines_;  // the kernel's linear table
  PointOrders<Real> orders_;
  std::unique_ptr<GridMethod<Real>> spread_, interpolate_;
  GridFft<Real> fft_;
  DeviceBuffer<Value> grid_, samples_, staging_[2];
  DeviceBuffer<double> coordinates_;
  DeviceBuffer<int> flags_;
  DeviceBuffer<double> energy_;  // of what the FFT turns into the grids
  NormalForm<Real> normal_;
  CoilCombiner<Real> combiner_;
  std::int64_t count_ = 0, checked_ = 0;  // points now, and the most that were found to fit
  bool ready_ = false;
};

}  // namespace

template <class Real>
std::unique_ptr<Nufft<Real>> makeNufft(const DeviceInfo& device, const NufftProblem& problem,
                                       const NufftOptions& options) {
  return std::make_unique<CudaNufft<Real>>(device, problem, options);
}

template std::unique_ptr<Nufft<float>> makeNufft(const DeviceInfo&, const NufftProblem&, const NufftOptions&);
template std::unique_ptr<Nufft<double>> makeNufft(const DeviceInfo&, const NufftProblem&,
                                                  const NufftOptions&);

}  // namespace spokelab::gpu
