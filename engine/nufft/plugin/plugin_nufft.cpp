#include "engine/nufft/plugin/plugin_nufft.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plugin/gpu_plugins.h"

namespace spokelab {
namespace {

constexpr std::int64_t samplesPerTask = 1 << 14;  // takes some microseconds

template <class Real>
class PluginNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  PluginNufft(std::shared_ptr<const PluginCode> code, const PluginInfo& info, const NufftProblem& problem,
              const NufftOptions& options, PluginWatcher watcher)
      : problem_(problem),
        plan_(std::move(code), info, problem, options, std::move(watcher)),
        info_(plan_.info()) {}

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
    plan_.setPoints(count, {axis(0), axis(1), axis(2)});
    points_ = count;
    weights_.clear();
    info_.memory = plan_.info().memory + ownBytes();
  }

  // A plug-in tells no stages: its time is the total's alone.
  void forward(const Complex* image, Complex* samples, const Execution&) override {
    const Span timed("forward", SpanKind::call);
    toSamples(image, samples);
  }

  void adjoint(const Complex* samples, Complex* image, const Execution&) override {
    const Span timed("adjoint", SpanKind::call);
    toImages(samples, image);
  }

  void setWeights(std::span<const double> weights) override {
    requireWeights(weights.size(), points_);
    weights_.assign(weights.begin(), weights.end());
  }

  void normal(const Complex* in, Complex* out, const Execution&) override {
    const Span timed("normal", SpanKind::call);
    samples_.resize(std::size_t(problem_.batch * points_));
    toSamples(in, samples_.data());
    if (!weights_.empty()) {
      const StageTimer timer(Stage::multiply);
      parallelFor(points_, info_.options.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = 0; b < problem_.batch; ++b)
          for (std::int64_t j = begin; j < end; ++j)
            samples_[std::size_t(b * points_ + j)] *= Real(weights_[std::size_t(j)]);
      });
    }
    toImages(samples_.data(), out);
    info_.memory = plan_.info().memory + ownBytes();
  }

 private:
  // Without points the results are exact, whatever the plug-in does.
  void toSamples(const Complex* images, Complex* samples) {
    if (points_ > 0) plan_.forward(images, samples);
  }
  void toImages(const Complex* samples, Complex* images) {
    if (points_ > 0) return plan_.adjoint(samples, images);
    std::fill(images, images + problem_.batch * problem_.pixels(), Complex(0));
  }

  std::int64_t ownBytes() const {
    std::size_t bytes = samples_.size() * sizeof(Complex) + weights_.size() * sizeof(double);
    for (const Buffer<double>& axis : axes_) bytes += axis.size() * sizeof(double);
    return std::int64_t(bytes);
  }

  NufftProblem problem_;
  PluginPlan plan_;
  PlanInfo info_;
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
  if (!info.onGpu)
    return std::make_unique<PluginNufft<Real>>(std::move(code), info, problem, options, std::move(watcher));
  NufftProblem own = problem;
  own.precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
  return std::get<std::unique_ptr<Nufft<Real>>>(
      makeGpuPluginNufft({std::move(code), info, own, options, std::move(watcher)}));
}
template std::unique_ptr<Nufft<float>> makePluginNufft(std::shared_ptr<const PluginCode>, const PluginInfo&,
                                                       const NufftProblem&, const NufftOptions&,
                                                       PluginWatcher);
template std::unique_ptr<Nufft<double>> makePluginNufft(std::shared_ptr<const PluginCode>, const PluginInfo&,
                                                        const NufftProblem&, const NufftOptions&,
                                                        PluginWatcher);

}  // namespace spokelab
