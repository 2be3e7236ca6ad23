#include "cuda/recon/field/gdft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <type_traits>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/stream.h"
#include "cuda/recon/field/gdft_device.h"

namespace spokelab::gpu {
namespace {

constexpr double twoPi = 2 * std::numbers::pi;
constexpr double narrowTurns = 2;                 // of f t, for which no reduction is needed
constexpr double allowedWithoutLowHalves = 8e-6;  // of the 1e-5 that the transform may have
constexpr std::int64_t fewestShots = 6;           // for which sharing times pays

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

float lowHalf(double v) {
  return float(v - double(float(v)));
}

unsigned fixedStep(double turns) {
  const double part = turns - std::nearbyint(turns);
  return unsigned(std::int64_t(std::llround(std::ldexp(part, 32))));
}

// Numbers of a problem by sample or pixel, 0 where it has none.
struct Reader {
  const GdftProblem& p;
  std::size_t dims = std::size_t(p.dims);

  double k(std::int64_t j, std::size_t d) const { return d < dims ? p.points[std::size_t(j) * dims + d] : 0; }
  double t(std::int64_t j) const { return p.times.empty() ? 0 : p.times[std::size_t(j)]; }
  double size(std::size_t d) const { return double(p.matrix[d]); }
  double r(std::int64_t i, std::size_t d) const {
    if (d >= dims) return 0;
    if (!p.coordinates.empty()) return p.coordinates[std::size_t(i) * dims + d];
    const std::int64_t stride = d == 0 ? 1 : d == 1 ? p.matrix[0] : p.matrix[0] * p.matrix[1];
    return double(i / stride % p.matrix[d] - p.matrix[d] / 2) / size(d);
  }
  double field(std::int64_t i) const { return p.field.empty() ? 0 : p.field[std::size_t(i)]; }
  double gradient(std::int64_t i, std::size_t d) const {
    return p.gradient.empty() || !p.intravoxel || d >= dims
               ? 0
               : p.gradient[d * std::size_t(p.pixels()) + std::size_t(i)];
  }
  double decay(std::int64_t i) const { return p.decay.empty() ? 0 : p.decay[std::size_t(i)]; }
};

bool timesAreShared(const GdftProblem& p) {
  const std::int64_t samples = p.samples();
  if (p.shots < 1 || samples % p.shots != 0) return false;
  const std::int64_t length = samples / p.shots;
  for (std::int64_t j = length; !p.times.empty() && j < samples; ++j)
    if (p.times[std::size_t(j)] != p.times[std::size_t(j % length)]) return false;
  return true;
}

double rootMeanSquare(std::int64_t count, const auto& value) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += value(i) * value(i);
  return std::sqrt(sum / double(std::max<std::int64_t>(count, 1)));
}

double middleOf(const std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return (*low + *high) / 2;
}

/// The form whose error is allowed. Leaving out the low halves of t (from t0) adds a relative error of the rms of
/// 2 pi f t_low, leaving out those of f that of 2 pi f_low t.
GdftForm reducedForm(const GdftProblem& p, double t0) {
  const Reader read{p};
  const auto f = [&](std::int64_t i) { return read.field(i) / twoPi; };
  const auto t = [&](std::int64_t j) { return read.t(j) - t0; };
  const auto low = [](const auto& value) {
    return [&](std::int64_t i) { return double(lowHalf(value(i))); };
  };
  const double times = rootMeanSquare(p.pixels(), f) * rootMeanSquare(p.samples(), low(t));
  const double field = rootMeanSquare(p.pixels(), low(f)) * rootMeanSquare(p.samples(), t);
  if (twoPi * std::hypot(times, field) <= allowedWithoutLowHalves) return GdftForm::high;
  return twoPi * times <= allowedWithoutLowHalves ? GdftForm::middle : GdftForm::wide;
}

GdftForm formOf(const GdftProblem& p) {
  if (!p.intravoxel && p.decay.empty()) {
    if (largest(p.field) / twoPi * largest(p.times) <= narrowTurns) return GdftForm::narrow;
    return p.coordinates.empty() ? reducedForm(p, middleOf(p.times)) : GdftForm::wide;
  }
  if (!p.decay.empty() || !p.coordinates.empty()) return GdftForm::sincAny;
  double most = 0;
  const Reader read{p};
  for (std::int64_t j = 0; j < p.samples(); ++j)
    for (std::size_t d = 0; d < read.dims; ++d) most = std::max(most, std::abs(read.k(j, d)) / read.size(d));
  most += largest(p.gradient) * largest(p.times);
  return most <= 1 ? GdftForm::sinc1 : most <= 2 ? GdftForm::sinc2 : GdftForm::sincAny;
}

GdftVariant variantOf(const GdftProblem& p) {
  const bool can = p.coordinates.empty() && !p.intravoxel && p.decay.empty() && timesAreShared(p);
  switch (p.method) {
    case GdftMethod::reference:
      return GdftVariant::reference;
    case GdftMethod::tiled:
      return GdftVariant::tiled;
    case GdftMethod::sharedTimes:
      if (!can)
        throw Error("Cannot set up the field-corrected transform",
                    "its shots do not share their times on the regular grid, or it has a sinc or a decay",
                    "Use the tiled method");
      return GdftVariant::sharedTimes;
    default:
      return can && p.shots >= fewestShots ? GdftVariant::sharedTimes : GdftVariant::tiled;
  }
}

template <class Real>
class CudaGdft final : public SampleTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  using DeviceComplex = std::conditional_t<std::is_same_v<Real, float>, float2, double2>;

  explicit CudaGdft(const GdftProblem& problem) {
    validate(problem);
    samples_ = problem.samples();
    pixels_ = problem.pixels();
    intravoxel_ = problem.intravoxel;
    variant_ = std::is_same_v<Real, double> ? GdftVariant::reference : variantOf(problem);
    if (variant_ == GdftVariant::reference)
      setPlain(problem);
    else if constexpr (std::is_same_v<Real, float>)
      setArrays(problem);
    synchronize(stream_.get());
    staged_.clear();
  }

  std::int64_t pixels() const override { return pixels_; }
  std::int64_t samples() const override { return samples_; }
  std::string description() const override {
    const char* names[] = {"", "one thread an output", "tiled", "shots that share their times"};
    return std::string(intravoxel_ ? "GdftR2" : "Gdft") + ", exact sums on the GPU, " + names[int(variant_)];
  }

  void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    run(true, images, pixels_, samples, samples_, count, execution, progress);
  }
  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    run(false, samples, samples_, images, pixels_, count, execution, progress);
  }

  void setWeights(std::span<const double> weights) override {
    if (!weights.empty() && std::int64_t(weights.size()) != samples_)
      throw Error("Cannot apply the weights of a transform",
                  "there are " + std::to_string(weights.size()) + " weights for " + std::to_string(samples_) +
                      " samples",
                  "Give one weight a sample");
    const std::vector<Real> converted(weights.begin(), weights.end());
    weights_.upload(converted.data(), std::int64_t(converted.size()), stream_.get());
    synchronize(stream_.get());
  }

  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    const cudaStream_t stream = streamOf(execution);
    between_.resize(samples_);
    Execution device = execution;
    device.devicePointers = true;
    device.stream = stream;
    device.timings = nullptr;
    auto* const between = reinterpret_cast<Complex*>(between_.data());
    for (std::int64_t c = 0; c < count; ++c) {
      const DeviceComplex* from = toDevice(in + c * pixels_, pixels_, execution, stream);
      forward(reinterpret_cast<const Complex*>(from), between, 1, device, progress);
      if (weights_.size() > 0) launchScale(between_.data(), weights_.data(), samples_, stream);
      DeviceComplex* to = execution.devicePointers ? reinterpret_cast<DeviceComplex*>(out + c * pixels_)
                                                   : (result_.resize(pixels_), result_.data());
      adjoint(between, reinterpret_cast<Complex*>(to), 1, device, progress);
      if (!execution.devicePointers) fromDevice(out + c * pixels_, pixels_, stream);
    }
    if (!execution.devicePointers) synchronize(stream);
  }

 private:
  cudaStream_t streamOf(const Execution& e) const {
    return e.stream ? static_cast<cudaStream_t>(e.stream) : stream_.get();
  }

  const DeviceComplex* toDevice(const Complex* in, std::int64_t count, const Execution& e,
                                cudaStream_t stream) {
    if (e.devicePointers) return reinterpret_cast<const DeviceComplex*>(in);
    input_.upload(reinterpret_cast<const DeviceComplex*>(in), count, stream);
    return input_.data();
  }
  void fromDevice(Complex* out, std::int64_t count, cudaStream_t stream) {
    result_.download(reinterpret_cast<DeviceComplex*>(out), count, stream);
  }

  void run(bool forward, const Complex* in, std::int64_t inputs, Complex* out, std::int64_t outputs,
           std::int64_t count, const Execution& execution, const Progress& progress) {
    const cudaStream_t stream = streamOf(execution);
    const double start = now();
    for (std::int64_t c = 0; c < count; ++c) {
      progress.checkpoint();
      const DeviceComplex* from = toDevice(in + c * inputs, inputs, execution, stream);
      DeviceComplex* to = nullptr;
      if (execution.devicePointers) {
        to = reinterpret_cast<DeviceComplex*>(out + c * outputs);
      } else {
        result_.resize(outputs);
        to = result_.data();
      }
      launch(forward, from, to, stream);
      if (!execution.devicePointers) {
        fromDevice(out + c * outputs, outputs, stream);
        synchronize(stream);
      }
    }
    if (execution.timings) {
      synchronize(stream);
      const double seconds = now() - start;
      (*execution.timings)[forward ? Stage::interpolate : Stage::spread] += seconds;
      execution.timings->total += seconds;
    }
  }

  void launch(bool forward, const DeviceComplex* in, DeviceComplex* out, cudaStream_t stream) {
    if constexpr (std::is_same_v<Real, float>) {
      if (variant_ != GdftVariant::reference) {
        const auto call = forward ? launchGdftForward : launchGdftAdjoint;
        return call(variant_, form_, sampleArrays_, pixelArrays_, in, out, stream);
      }
    }
    launchGdftPlain<Real>(plain_, forward, in, out, stream);
  }

  // --- arrays on the device --------------------------------------------------------------------------
  // value(i) for i < count, kept on the device; the host's copy lives until the constructor has waited.
  template <class T, class F>
  const T* keep(std::int64_t count, const F& value) {
    auto host = std::make_shared<std::vector<T>>(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i) (*host)[std::size_t(i)] = value(i);
    staged_.push_back(host);
    DeviceMemory& memory = arrays_.emplace_back(std::max<std::size_t>(std::size_t(count) * sizeof(T), 1));
    check(cudaMemcpyAsync(memory.data(), host->data(), std::size_t(count) * sizeof(T), cudaMemcpyHostToDevice,
                          stream_.get()),
          "copying to the GPU");
    return static_cast<const T*>(memory.data());
  }

  void setPlain(const GdftProblem& problem) {
    const Reader read{problem};
    plain_.samples = samples_;
    plain_.pixels = pixels_;
    plain_.sinc = problem.intravoxel;
    plain_.t = keep<Real>(samples_, [&](std::int64_t j) { return Real(read.t(j)); });
    plain_.field = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.field(i)); });
    for (std::size_t d = 0; d < 3; ++d) {
      plain_.k[d] = keep<Real>(samples_, [&](std::int64_t j) { return Real(read.k(j, d)); });
      plain_.r[d] = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.r(i, d)); });
      plain_.inverse[d] = Real(1 / read.size(d));
      if (!problem.gradient.empty())
        plain_.gradient[d] = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.gradient(i, d)); });
    }
    if (!problem.decay.empty())
      plain_.decay = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.decay(i)); });
  }

  void setArrays(const GdftProblem& problem) {
    const Reader read{problem};
    const bool grid = problem.coordinates.empty();
    form_ = formOf(problem);
    GdftSampleArrays& s = sampleArrays_;
    s.count = samples_;
    s.shots = variant_ == GdftVariant::sharedTimes ? problem.shots : 1;
    const bool centred = timesAreCentred(form_) && variant_ == GdftVariant::tiled;
    const double t0 = centred ? middleOf(problem.times) : 0;
    s.time = keep<float2>(samples_, [&](std::int64_t j) {
      const double t = read.t(j) - t0;
      return float2{float(t), lowHalf(t)};
    });
    if (centred)
      pixelArrays_.turn = keep<float2>(pixels_, [&](std::int64_t i) {
        const double phase = -read.field(i) * t0;
        return float2{float(std::cos(phase)), float(std::sin(phase))};
      });
    s.k = keep<float4>(samples_, [&](std::int64_t j) {
      return float4{float(read.k(j, 0)), float(read.k(j, 1)), float(read.k(j, 2)), 0};
    });
    if (grid)
      s.step = keep<uint4>(samples_, [&](std::int64_t j) {
        return uint4{fixedStep(read.k(j, 0) / read.size(0)), fixedStep(read.k(j, 1) / read.size(1)),
                     fixedStep(read.k(j, 2) / read.size(2)), 0};
      });
    else
      s.kLow = keep<float4>(samples_, [&](std::int64_t j) {
        return float4{lowHalf(read.k(j, 0)), lowHalf(read.k(j, 1)), lowHalf(read.k(j, 2)), 0};
      });
    setPixelArrays(problem, read, grid);
  }

  void setPixelArrays(const GdftProblem& problem, const Reader& read, bool grid) {
    GdftPixelArrays& p = pixelArrays_;
    p.count = pixels_;
    p.grid = grid;
    p.nx = grid ? int(problem.matrix[0]) : int(pixels_);
    p.ny = grid ? int(problem.matrix[1]) : 1;
    p.nz = grid ? int(problem.matrix[2]) : 1;
    p.inverse = {float(1 / read.size(0)), float(1 / read.size(1)), float(1 / read.size(2))};
    p.field = keep<float2>(pixels_, [&](std::int64_t i) {
      const double f = read.field(i) / twoPi;
      return float2{float(f), lowHalf(f)};
    });
    if (problem.intravoxel || !problem.decay.empty())
      p.gradient = keep<float4>(pixels_, [&](std::int64_t i) {
        return float4{float(read.gradient(i, 0)), float(read.gradient(i, 1)), float(read.gradient(i, 2)),
                      float(read.decay(i))};
      });
    if (!problem.intravoxel) p.inverse = {0, 0, 0};  // decay alone: the sinc's argument is 0 or G t
    if (!grid) {
      p.r = keep<float4>(pixels_, [&](std::int64_t i) {
        return float4{float(read.r(i, 0)), float(read.r(i, 1)), float(read.r(i, 2)), 0};
      });
      p.rLow = keep<float4>(pixels_, [&](std::int64_t i) {
        return float4{lowHalf(read.r(i, 0)), lowHalf(read.r(i, 1)), lowHalf(read.r(i, 2)), 0};
      });
    }
  }

  std::int64_t samples_ = 0, pixels_ = 0;
  bool intravoxel_ = false;
  GdftVariant variant_ = GdftVariant::tiled;
  GdftForm form_ = GdftForm::wide;
  Stream stream_;
  std::deque<DeviceMemory> arrays_;
  std::vector<std::shared_ptr<void>> staged_;
  GdftSampleArrays sampleArrays_;
  GdftPixelArrays pixelArrays_;
  GdftPlain<Real> plain_;
  DeviceBuffer<Real> weights_;
  DeviceBuffer<DeviceComplex> input_, result_, between_;
};

}  // namespace

template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCudaGdft(const GdftProblem& problem) {
  return std::make_unique<CudaGdft<Real>>(problem);
}

template std::unique_ptr<SampleTransform<float>> makeCudaGdft<float>(const GdftProblem&);
template std::unique_ptr<SampleTransform<double>> makeCudaGdft<double>(const GdftProblem&);

}  // namespace spokelab::gpu
