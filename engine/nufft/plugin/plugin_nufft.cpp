#include "engine/nufft/plugin/plugin_nufft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t samplesPerTask = 1 << 14;  // takes some microseconds
constexpr std::int32_t typeAdjoint = 1, typeForward = 2;

template <class Real>
class PluginNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  PluginNufft(std::shared_ptr<const PluginCode> code, const PluginInfo& info, const NufftProblem& problem,
              const NufftOptions& options, PluginWatcher watcher)
      : code_(std::move(code)), plugin_(info), problem_(problem), watcher_(std::move(watcher)) {
    if (!plugin_.supports(problem))
      throw Error("Cannot plan the transform",
                  "the plug-in " + plugin_.title() + " does not serve " + std::to_string(problem.dims) +
                      "-D in " + (problem.precision == Precision::single ? "single" : "double") +
                      " precision",
                  "Choose another backend");
    if (options.reproducible)
      throw Error("Cannot plan the transform",
                  "nobody knows whether the results of the plug-in " + plugin_.title() + " repeat bit by bit",
                  "Choose another backend, or leave reproducible out");
    info_.backend = plugin_.name;
    info_.options = options;
    info_.options.threads = options.threads > 0 ? options.threads : hardwareThreads();
    info_.options.normal = NormalMethod::gridded;
    info_.error.relativeL2 = info_.error.bound = options.accuracy;  // its own claim; trials measure it
    makePlan();
    info_.description = "plug-in " + plugin_.title() + " (" + plugin_.file.filename().string() + "), " +
                        countText(info_.options.threads, "thread");
  }
  ~PluginNufft() override {
    if (plan_) code_->destroy(plan_);
  }
  PluginNufft(const PluginNufft&) = delete;
  PluginNufft& operator=(const PluginNufft&) = delete;

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }

  void setPoints(const PlanPoints& given) override {
    const Span timed("set points", SpanKind::call);
    const HostPoints hostPoints(given, problem_, info_.options.threads);
    const std::span<const double> points = hostPoints.coordinates();
    const auto dims = std::size_t(problem_.dims);
    const auto count = std::int64_t(points.size() / dims);
    points_ = 0;
    for (std::size_t d = 0; d < dims; ++d) axes_[d].resize(std::size_t(count));
    parallelFor(count, info_.options.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto j = std::size_t(begin); j < std::size_t(end); ++j)
        for (std::size_t d = 0; d < dims; ++d) {
          const double k = points[j * dims + d];
          axes_[d][j] = k - std::nearbyint(k);
        }
    });
    for (std::size_t d = 0; d < dims; ++d)
      if (std::any_of(axes_[d].begin(), axes_[d].end(), [](double k) { return !std::isfinite(k); }))
        throw Error("Cannot set the points of a transform", "a coordinate is not a finite number",
                    "Check the trajectory");
    const auto axis = [&](std::size_t d) { return d < dims ? axes_[d].data() : nullptr; };
    call("set points", [&](char* text, std::size_t bytes) {
      return code_->setPoints(plan_, count, axis(0), axis(1), axis(2), text, bytes);
    });
    points_ = count;
    weights_.clear();
    info_.memory = report_.memory + ownBytes();
  }

  // A plug-in tells no stages: its time is the total's alone.
  void forward(const Complex* image, Complex* samples, const Execution&) override {
    const Span timed("forward", SpanKind::call);
    run(typeForward, image, samples);
  }

  void adjoint(const Complex* samples, Complex* image, const Execution&) override {
    const Span timed("adjoint", SpanKind::call);
    run(typeAdjoint, samples, image);
  }

  void setWeights(std::span<const double> weights) override {
    requireWeights(weights.size(), points_);
    weights_.assign(weights.begin(), weights.end());
  }

  void normal(const Complex* in, Complex* out, const Execution&) override {
    const Span timed("normal", SpanKind::call);
    samples_.resize(std::size_t(problem_.batch * points_));
    run(typeForward, in, samples_.data());
    if (!weights_.empty()) {
      const StageTimer timer(Stage::multiply);
      parallelFor(points_, info_.options.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = 0; b < problem_.batch; ++b)
          for (std::int64_t j = begin; j < end; ++j)
            samples_[std::size_t(b * points_ + j)] *= Real(weights_[std::size_t(j)]);
      });
    }
    run(typeAdjoint, samples_.data(), out);
    info_.memory = report_.memory + ownBytes();
  }

 private:
  // Calls a function of the plug-in; what it says against it is thrown.
  template <class Function>
  void call(const char* step, const Function& function) {
    constexpr std::size_t textBytes = 1024;
    std::array<char, textBytes> text{};
    if (watcher_) watcher_(step);
    const int code = function(text.data(), text.size());
    if (watcher_) watcher_(nullptr);
    text.back() = '\0';
    if (code == SPOKELAB_PLUGIN_OK) return;
    std::string why = text[0] ? text.data() : "it gave no reason (code " + std::to_string(code) + ")";
    if (code == SPOKELAB_PLUGIN_NO_MEMORY && !text[0]) why = "there is not enough memory for it";
    throw Error("The plug-in " + plugin_.title() + " failed",
                std::string("in the step '") + step + "': " + why, "Choose another backend");
  }

  void makePlan() {
    const NufftOptions& options = info_.options;
    const std::string file = plugin_.file.string();
    spokelab_plugin_request request{};
    request.file = file.c_str();
    request.dims = problem_.dims;
    std::copy(problem_.size.begin(), problem_.size.end(), request.size);
    request.precision =
        problem_.precision == Precision::single ? SPOKELAB_PLUGIN_SINGLE : SPOKELAB_PLUGIN_DOUBLE;
    request.sign = problem_.sign;
    request.batch = problem_.batch;
    request.accuracy = options.accuracy;
    request.alpha = plugin_.offers(options.alpha) ? options.alpha : 0;
    request.threads = options.threads;
    call("plan",
         [&](char* text, std::size_t bytes) { return code_->plan(&request, &plan_, &report_, text, bytes); });
    if (report_.alpha > 0) info_.options.alpha = report_.alpha;
    if (report_.width > 0) info_.options.width = report_.width;
    for (std::size_t d = 0; d < info_.grid.size(); ++d)
      info_.grid[d] = std::max<std::int64_t>(1, report_.grid[d]);
    report_.memory = std::max<std::int64_t>(0, report_.memory);
    info_.memory = report_.memory;
  }

  void run(std::int32_t type, const Complex* from, Complex* to) {
    if (points_ == 0) {  // exact zeros, whatever the plug-in does without points
      if (type == typeAdjoint) std::fill(to, to + problem_.batch * problem_.pixels(), Complex(0));
      return;
    }
    call(type == typeForward ? "execute type 2" : "execute type 1",
         [&](char* text, std::size_t bytes) { return code_->execute(plan_, type, from, to, text, bytes); });
  }

  std::int64_t ownBytes() const {
    std::size_t bytes = samples_.size() * sizeof(Complex) + weights_.size() * sizeof(double);
    for (const Buffer<double>& axis : axes_) bytes += axis.size() * sizeof(double);
    return std::int64_t(bytes);
  }

  std::shared_ptr<const PluginCode> code_;
  PluginInfo plugin_;
  NufftProblem problem_;
  PluginWatcher watcher_;
  PlanInfo info_;
  void* plan_ = nullptr;
  spokelab_plugin_report report_{};
  std::array<Buffer<double>, 3> axes_;  // coordinates, as the plug-in reads them
  std::int64_t points_ = 0;
  std::vector<double> weights_;
  Buffer<Complex> samples_;  // of the normal operator
};

}  // namespace

template <class Real>
std::unique_ptr<Nufft<Real>> makePluginNufft(std::shared_ptr<const PluginCode> code, const PluginInfo& info,
                                             const NufftProblem& problem, const NufftOptions& options,
                                             PluginWatcher watcher) {
  return std::make_unique<PluginNufft<Real>>(std::move(code), info, problem, options, std::move(watcher));
}
template std::unique_ptr<Nufft<float>> makePluginNufft(std::shared_ptr<const PluginCode>, const PluginInfo&,
                                                       const NufftProblem&, const NufftOptions&,
                                                       PluginWatcher);
template std::unique_ptr<Nufft<double>> makePluginNufft(std::shared_ptr<const PluginCode>, const PluginInfo&,
                                                        const NufftProblem&, const NufftOptions&,
                                                        PluginWatcher);

}  // namespace spokelab
