#include "cuda/recon/field/gdft.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <type_traits>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"
#include "cuda/device/device_pointer.h"
#include "cuda/device/stream.h"
#include "cuda/recon/field/gdft_form.h"
#include "cuda/recon/field/gdft_given.h"
#include "cuda/recon/field/gdft_parts.h"
#include "cuda/recon/field/gdft_reference.h"
#include "cuda/recon/field/gdft_shared_times.h"
#include "cuda/recon/field/gdft_tiled.h"
#include "engine/nufft/problem/plan_points.h"

namespace spokelab::gpu {
namespace {

// The variant's name, as in the kernels' headers.
const char* variantName(GdftVariant variant) {
  switch (variant) {
    case GdftVariant::reference:
      return "one thread an output";
    case GdftVariant::tiled:
      return "tiled";
    case GdftVariant::sharedTimes:
      return "shots that share their times";
  }
  return "";
}

template <class Real>
class CudaGdft final : public SampleTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  using DeviceComplex = gpu::Complex<Real>;

  ~CudaGdft() override { cudaStreamSynchronize(stream_.get()); }
  explicit CudaGdft(const GdftProblem& problem) : sums_(problem.reproducible) {
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
    return std::string(intravoxel_ ? "GdftR2" : "Gdft") + ", exact sums on the GPU, " + variantName(variant_);
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
    requireWeights(weights.size(), samples_, "sample");
    const std::vector<Real> converted(weights.begin(), weights.end());
    weights_.upload(converted.data(), std::int64_t(converted.size()), stream_.get());
    synchronize(stream_.get());
  }

  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    const SpanScope unwatched(SpanCut::all);  // the host does not wait between the sums
    const cudaStream_t stream = streamOf(execution);
    between_.resize(samples_);
    Execution device = execution;
    device.devicePointers = true;
    device.stream = stream;
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
  // The stream of a call, which then follows the last call, whose sums and arrays it uses again.
  cudaStream_t streamOf(const Execution& e) const {
    const cudaStream_t stream = e.stream ? static_cast<cudaStream_t>(e.stream) : stream_.get();
    last_.wait(stream);
    return stream;
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
    if (execution.devicePointers && count > 0) {
      if (inputs > 0) requireDevicePointer(in, "values that go in");
      if (outputs > 0) requireDevicePointer(out, "values that come out");
    }
    const Span call(forward ? "forward" : "adjoint", SpanKind::call);
    const StageTimer timer(forward ? Stage::interpolate : Stage::spread);
    const cudaStream_t stream = streamOf(execution);
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
    last_.record(stream);
    if (timer.isWatched()) synchronize(stream);
  }

  void launch(bool forward, const DeviceComplex* in, DeviceComplex* out, cudaStream_t stream) {
    if constexpr (std::is_same_v<Real, float>) {
      if (variant_ != GdftVariant::reference) return launchVariant(forward, in, out, stream);
    }
    launchGdftPlain<Real>(plain_, forward, in, out, stream);
  }

  void launchVariant(bool forward, const float2* in, float2* out, cudaStream_t stream) {
    const GdftSampleArrays& s = sampleArrays_;
    const GdftPixelArrays& p = pixelArrays_;
    const std::int64_t outputs = forward ? s.count : p.count;
    if (outputs == 0) return;
    sums_.begin(outputs, stream);
    if (s.count > 0 && p.count > 0) addVariant(forward, in, sums_, stream);
    sums_.round(out, stream);
  }

  void addVariant(bool forward, const float2* in, GdftSums& out, cudaStream_t stream) {
    const GdftSampleArrays& s = sampleArrays_;
    const GdftPixelArrays& p = pixelArrays_;
    if (variant_ == GdftVariant::sharedTimes)
      (forward ? launchSharedForward : launchSharedAdjoint)(s, p, in, out, stream);
    else if (!p.grid)
      (forward ? launchGivenForward : launchGivenAdjoint)(form_, s, p, in, out, stream);
    else
      (forward ? launchTiledForward : launchTiledAdjoint)(form_, s, p, in, out, stream);
  }

  // value(i) for i < count, kept on the device; the host's copy lives until the constructor has
  // waited.
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
    const GdftReader read{problem};
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
    plain_.forms = int(problem.forms.count);
    for (std::int64_t f = 0; f < problem.forms.count; ++f) {
      plain_.bend[f] = keep<Real>(samples_, [&](std::int64_t j) { return Real(read.turns(j, f)); });
      plain_.bendPlace[f] = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.place(i, f)); });
    }
    if (!problem.decay.empty())
      plain_.decay = keep<Real>(pixels_, [&](std::int64_t i) { return Real(read.decay(i)); });
  }

  void setArrays(const GdftProblem& problem) {
    const GdftReader read{problem};
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
    if (isBent(form_)) setForms(read);
  }

  void setForms(const GdftReader& read) {
    static_assert(maxPhaseForms == 4);
    const auto four = [&](std::int64_t count, const auto& value, const float4*& high, const float4*& low) {
      const auto of = [&](const auto& part) {
        return keep<float4>(count, [&](std::int64_t i) {
          return float4{part(value(i, 0)), part(value(i, 1)), part(value(i, 2)), part(value(i, 3))};
        });
      };
      high = of([](double v) { return float(v); });
      low = of(lowHalf);
    };
    four(
        samples_, [&](std::int64_t j, std::int64_t f) { return read.turns(j, f); }, sampleArrays_.bend,
        sampleArrays_.bendLow);
    four(
        pixels_, [&](std::int64_t i, std::int64_t f) { return read.place(i, f); }, pixelArrays_.bend,
        pixelArrays_.bendLow);
  }

  void setPixelArrays(const GdftProblem& problem, const GdftReader& read, bool grid) {
    GdftPixelArrays& p = pixelArrays_;
    p.count = pixels_;
    p.grid = grid;
    p.nx = grid ? int(problem.matrix[0]) : int(pixels_);
    p.ny = grid ? int(problem.matrix[1]) : 1;
    p.nz = grid ? int(problem.matrix[2]) : 1;
    p.inverse = {float(1 / read.size(0)), float(1 / read.size(1)), float(1 / read.size(2))};
    p.field = keep<float2>(pixels_, [&](std::int64_t i) {
      const double f = read.field(i) / (2 * std::numbers::pi);
      return float2{float(f), lowHalf(f)};
    });
    if (problem.intravoxel || !problem.decay.empty())
      p.gradient = keep<float4>(pixels_, [&](std::int64_t i) {
        return float4{float(read.gradient(i, 0)), float(read.gradient(i, 1)), float(read.gradient(i, 2)),
                      float(read.decay(i))};
      });
    // With decay alone the sinc's argument is 0 or G t.
    if (!problem.intravoxel) p.inverse = {0, 0, 0};
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
  Event last_{false};  // the end of the last call
  std::deque<DeviceMemory> arrays_;
  std::vector<std::shared_ptr<void>> staged_;
  GdftSampleArrays sampleArrays_;
  GdftPixelArrays pixelArrays_;
  GdftPlain<Real> plain_;
  DeviceBuffer<Real> weights_;
  DeviceBuffer<DeviceComplex> input_, result_, between_;
  GdftSums sums_;
};

}  // namespace

template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCudaGdft(const GdftProblem& problem) {
  return std::make_unique<CudaGdft<Real>>(problem);
}

template std::unique_ptr<SampleTransform<float>> makeCudaGdft<float>(const GdftProblem&);
template std::unique_ptr<SampleTransform<double>> makeCudaGdft<double>(const GdftProblem&);

}  // namespace spokelab::gpu
