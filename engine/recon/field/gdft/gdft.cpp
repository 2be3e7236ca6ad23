#include "engine/recon/field/gdft/gdft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/simd/cpu_features.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/problem/plan_points.h"
#include "engine/recon/field/gdft/gdft_loops.h"

namespace spokelab {

template <>
const GdftLoops<float>& gdftLoops<float>() {
#ifdef SPOKELAB_X86_64
  if (instructionSet() == InstructionSet::avx512) return gdftLoopsFloatAvx512;
  if (instructionSet() == InstructionSet::avx2) return gdftLoopsFloatAvx2;
#endif
  return gdftLoopsFloatPortable;
}

template <>
const GdftLoops<double>& gdftLoops<double>() {
#ifdef SPOKELAB_X86_64
  if (instructionSet() == InstructionSet::avx512) return gdftLoopsDoubleAvx512;
  if (instructionSet() == InstructionSet::avx2) return gdftLoopsDoubleAvx2;
#endif
  return gdftLoopsDoublePortable;
}

namespace {

constexpr double twoPi = 2 * std::numbers::pi;
// Largest |f t| in turns that one float rounds by less than 3e-6 rad; beyond it: low halves.
constexpr double narrowTurns = 8;
// Pairs of sample and pixel between two looks for a cancel: about 20 ms.
constexpr std::int64_t pairsPerCall = 1 << 24;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double v : values) most = std::max(most, std::abs(v));
  return most;
}

template <class Real>
typename GdftStep<Real>::Type fixedStep(double turns) {
  const double part = turns - std::nearbyint(turns);
  if constexpr (std::is_same_v<Real, float>)
    return std::uint32_t(std::int64_t(std::llround(std::ldexp(part, 32))));
  else
    return part;
}

std::int64_t roundUp(std::int64_t n, std::int64_t to) {
  return (n + to - 1) / to * to;
}

template <class Real>
class CpuGdft final : public SampleTransform<Real> {
 public:
  using Complex = std::complex<Real>;
  using Step = typename GdftStep<Real>::Type;

  CpuGdft(const GdftProblem& problem, int threads)
      : grid_(problem.coordinates.empty()),
        intravoxel_(problem.intravoxel),
        pixelCount_(problem.pixels()),
        threads_(threads) {
    validate(problem);
    setSamples(problem);
    setPixels(problem);
    setForms(problem.forms);
    const double turns = largest(problem.field) / twoPi * largest(problem.times);
    const bool modulates = problem.intravoxel || !problem.decay.empty() || !problem.forms.empty();
    form_ = modulates ? GdftForm::modulated : turns > narrowTurns ? GdftForm::wide : GdftForm::narrow;
  }

  std::int64_t pixels() const override { return pixelCount_; }
  std::int64_t samples() const override { return s_.count; }
  std::string description() const override {
    return std::string(intravoxel_ ? "GdftR2" : "Gdft") + ", exact sums on the CPU, " +
           std::string(instructionSetName(instructionSet())) + (grid_ ? "" : ", given coordinates");
  }

  void forward(const Complex* images, Complex* samples, std::int64_t count, const Execution&,
               const Progress& progress) override {
    const Span call("forward", SpanKind::call);
    const StageTimer timer(Stage::interpolate);
    const auto loop = gdftLoops<Real>().forward[grid_ ? 0 : 1][std::size_t(form_)];
    const std::int64_t rowsPerCall = std::max<std::int64_t>(1, pairsPerCall / (gdftPadding * p_.rowPadded));
    for (std::int64_t c = 0; c < count; ++c) {
      split(images + c * pixelCount_, p_.rowLength, p_.rowPadded, p_.rows);
      Complex* const out = samples + c * s_.count;
      parallelTasks(s_.padded / gdftPadding, threads_, [&](std::int64_t task) {
        double re[gdftPadding] = {}, im[gdftPadding] = {};
        const std::int64_t first = task * gdftPadding;
        for (std::int64_t row = 0; row < p_.rows; row += rowsPerCall) {
          progress.checkpoint();
          loop(s_, p_, re_.data(), im_.data(), first, {row, std::min(row + rowsPerCall, p_.rows)}, re, im);
        }
        const std::int64_t last = std::min(gdftPadding, s_.count - first);
        for (std::int64_t j = 0; j < last; ++j) out[first + j] = {Real(re[j]), Real(im[j])};
      });
    }
  }

  void adjoint(const Complex* samples, Complex* images, std::int64_t count, const Execution&,
               const Progress& progress) override {
    const Span call("adjoint", SpanKind::call);
    const StageTimer timer(Stage::spread);
    const auto loop = gdftLoops<Real>().adjoint[grid_ ? 0 : 1][std::size_t(form_)];
    const std::int64_t blocks = p_.rowPadded / gdftPadding;
    constexpr std::int64_t samplesPerCall = pairsPerCall / gdftPadding;
    for (std::int64_t c = 0; c < count; ++c) {
      split(samples + c * s_.count, s_.count, s_.padded, 1);
      Complex* const out = images + c * pixelCount_;
      parallelTasks(p_.rows * blocks, threads_, [&](std::int64_t task) {
        double re[gdftPadding] = {}, im[gdftPadding] = {};
        const std::int64_t row = task / blocks, first = task % blocks * gdftPadding;
        for (std::int64_t j = 0; j < s_.count; j += samplesPerCall) {
          progress.checkpoint();
          loop(s_, p_, re_.data(), im_.data(), row, first, {j, std::min(j + samplesPerCall, s_.count)}, re,
               im);
        }
        const std::int64_t last = std::min(gdftPadding, p_.rowLength - first);
        for (std::int64_t x = 0; x < last; ++x)
          out[row * p_.rowLength + first + x] = {Real(re[x]), Real(im[x])};
      });
    }
  }

  void setWeights(std::span<const double> weights) override {
    requireWeights(weights.size(), s_.count, "sample");
    weights_.assign(weights.begin(), weights.end());
  }

  void normal(const Complex* in, Complex* out, std::int64_t count, const Execution& execution,
              const Progress& progress) override {
    between_.resize(std::size_t(s_.count));
    for (std::int64_t c = 0; c < count; ++c) {
      forward(in + c * pixelCount_, between_.data(), 1, execution, progress);
      for (std::size_t j = 0; j < weights_.size(); ++j) between_[j] *= weights_[j];
      adjoint(between_.data(), out + c * pixelCount_, 1, execution, progress);
    }
  }

 private:
  Buffer<Real>& store() { return arrays_.emplace_back(); }

  // Stores `rows` rows, each padded with zeros to `padded`; low: their rounding errors instead.
  const Real* keep(std::int64_t length, std::int64_t padded, std::int64_t rows, const auto& value, bool low) {
    Buffer<Real>& buffer = store();
    buffer.assign(std::size_t(padded * rows), Real(0));
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t i = 0; i < length; ++i) {
        const double exact = value(row * length + i);
        buffer[std::size_t(row * padded + i)] = low ? Real(exact - double(Real(exact))) : Real(exact);
      }
    return buffer.data();
  }

  void setSamples(const GdftProblem& problem) {
    const auto dims = std::size_t(problem.dims);
    s_.count = problem.samples();
    s_.padded = roundUp(s_.count, gdftPadding);
    const auto coordinate = [&](std::size_t d) {
      return [&problem, dims, d](std::int64_t j) {
        return d < dims ? problem.points[std::size_t(j) * dims + d] : 0.0;
      };
    };
    const auto time = [&](std::int64_t j) {
      return problem.times.empty() ? 0.0 : problem.times[std::size_t(j)];
    };
    s_.time = keep(s_.count, s_.padded, 1, time, false);
    s_.timeLow = keep(s_.count, s_.padded, 1, time, true);
    for (std::size_t d = 0; d < 3; ++d) {
      if (grid_) {
        steps_[d].assign(std::size_t(s_.padded), Step(0));
        for (std::int64_t j = 0; j < s_.count; ++j)
          steps_[d][std::size_t(j)] = fixedStep<Real>(coordinate(d)(j) / double(problem.matrix[d]));
        s_.step[d] = steps_[d].data();
      } else {
        s_.k[d] = keep(s_.count, s_.padded, 1, coordinate(d), false);
        s_.kLow[d] = keep(s_.count, s_.padded, 1, coordinate(d), true);
      }
      if (intravoxel_)
        s_.voxel[d] = keep(
            s_.count, s_.padded, 1,
            [&](std::int64_t j) { return coordinate(d)(j) / double(problem.matrix[d]); }, false);
    }
  }

  void setForms(const PhaseForms& forms) {
    p_.forms = int(forms.count);
    for (std::size_t f = 0; f < std::size_t(forms.count); ++f) {
      const auto turns = [&](std::int64_t j) {
        return forms.turns[f * std::size_t(s_.count) + std::size_t(j)];
      };
      const auto place = [&](std::int64_t i) {
        return forms.places[f * std::size_t(pixelCount_) + std::size_t(i)];
      };
      s_.turns[f] = keep(s_.count, s_.padded, 1, turns, false);
      s_.turnsLow[f] = keep(s_.count, s_.padded, 1, turns, true);
      p_.places[f] = keep(p_.rowLength, p_.rowPadded, p_.rows, place, false);
      p_.placesLow[f] = keep(p_.rowLength, p_.rowPadded, p_.rows, place, true);
    }
  }

  void setPixels(const GdftProblem& problem) {
    const auto dims = std::size_t(problem.dims);
    p_.size = grid_ ? problem.matrix : Index3{pixelCount_, 1, 1};
    p_.rowLength = p_.size[0];
    p_.rowPadded = roundUp(p_.rowLength, gdftPadding);
    p_.rows = p_.size[1] * p_.size[2];
    const auto map = [&](const std::vector<double>& values, double scale, bool low) {
      return keep(
          p_.rowLength, p_.rowPadded, p_.rows,
          [&](std::int64_t i) { return values.empty() ? 0.0 : values[std::size_t(i)] * scale; }, low);
    };
    p_.field = map(problem.field, 1 / twoPi, false);
    p_.fieldLow = map(problem.field, 1 / twoPi, true);
    if (!problem.decay.empty()) p_.decay = map(problem.decay, 1, false);
    for (std::size_t d = 0; d < 3; ++d) {
      if (intravoxel_)
        p_.gradient[d] = keep(
            p_.rowLength, p_.rowPadded, p_.rows,
            [&](std::int64_t i) {
              return problem.gradient.empty() || d >= dims
                         ? 0.0
                         : problem.gradient[d * std::size_t(pixelCount_) + std::size_t(i)];
            },
            false);
      if (grid_) continue;
      const auto place = [&](std::int64_t i) {
        return d < dims ? problem.coordinates[std::size_t(i) * dims + d] : 0.0;
      };
      p_.r[d] = keep(p_.rowLength, p_.rowPadded, p_.rows, place, false);
      p_.rLow[d] = keep(p_.rowLength, p_.rowPadded, p_.rows, place, true);
    }
  }

  // Interleaved values -> planes with padded rows.
  void split(const Complex* in, std::int64_t length, std::int64_t padded, std::int64_t rows) {
    re_.assign(std::size_t(padded * rows), Real(0));
    im_.assign(std::size_t(padded * rows), Real(0));
    parallelFor(rows, threads_, 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        for (std::int64_t i = 0; i < length; ++i) {
          re_[std::size_t(row * padded + i)] = in[row * length + i].real();
          im_[std::size_t(row * padded + i)] = in[row * length + i].imag();
        }
    });
  }

  bool grid_, intravoxel_;
  std::int64_t pixelCount_;
  int threads_;
  GdftForm form_ = GdftForm::narrow;
  GdftSamples<Real> s_;
  GdftPixels<Real> p_;
  std::vector<Buffer<Real>> arrays_;  // moving a Buffer keeps its data's address
  std::array<Buffer<Step>, 3> steps_;
  Buffer<Real> re_, im_, weights_;
  Buffer<Complex> between_;
};

}  // namespace

template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCpuGdft(const GdftProblem& problem, int threads) {
  return std::make_unique<CpuGdft<Real>>(problem, threads);
}

template std::unique_ptr<SampleTransform<float>> makeCpuGdft<float>(const GdftProblem&, int);
template std::unique_ptr<SampleTransform<double>> makeCpuGdft<double>(const GdftProblem&, int);

}  // namespace spokelab
