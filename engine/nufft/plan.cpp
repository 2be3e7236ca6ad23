// The CPU's plan: kernel, grid, sorted points and passes of transforms, put together.
// A call fills its StageTimings anew; what no stage covers is left between their sum and the total.
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/cpu_features.h"
#include "engine/nufft/error_model.h"
#include "engine/nufft/fft.h"
#include "engine/nufft/fftw.h"
#include "engine/nufft/huge_pages.h"
#include "engine/nufft/kernel.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tile_schedule.h"

namespace spokelab {

namespace {

constexpr std::int64_t cellsPerZeroTask = 1 << 16;
constexpr std::int64_t samplesPerTask = 1 << 14;

// Everything that follows from problem and options alone.
template <class Real>
struct Design {
  NufftOptions options;
  Kernel kernel;
  Index3 grid;
  KernelPolynomial polynomial;
  GridLayout layout;

  Design(const NufftProblem& problem, const NufftOptions& asked)
      : options(settled(problem, asked)),
        kernel(options.kernel, options.width, options.alpha),
        grid(gridSize(problem, options.alpha, options.width)),
        polynomial(fitKernel(kernel, polynomialTolerance(problem, kernel, grid, options.accuracy))) {
    const int reachX = std::max(spreadFunctions<Real>(instructionSet()).reach[kernel.cells()],
                                interpolateFunctions<Real>(instructionSet()).reach[kernel.cells()]);
    layout =
        makeGridLayout(problem.dims, grid, kernel.cells(), reachX, options.bins, sizeof(std::complex<Real>));
    options.bins = layout.tile;
    checkRange();
  }

 private:
  // Sizes that 32-bit numbers hold: a dimension for FFTW, a cell's offset in its tile for SortedPoint.
  void checkRange() const {
    const int slowest = layout.dims - 1;
    const std::int64_t offset =
        layout.tile[static_cast<std::size_t>(slowest)] * layout.stride[static_cast<std::size_t>(slowest)];
    const bool fits = offset <= std::numeric_limits<std::uint32_t>::max() &&
                      *std::max_element(grid.begin(), grid.end()) < std::numeric_limits<std::int32_t>::max();
    if (fits) return;
    throw Error("Cannot plan the transform", "its grid is too large",
                "Choose a smaller oversampling ratio or image");
  }

  static NufftOptions settled(const NufftProblem& problem, const NufftOptions& asked) {
    NufftOptions options = resolveOptions(problem, asked);
    for (Method* method : {&options.spread, &options.interpolate}) {
      if (*method != Method::automatic && *method != Method::blocked) {
        throw Error("Cannot plan the transform",
                    "the method \"" + std::string(methodName(*method)) + "\" does not run on the CPU",
                    "Choose \"auto\" or \"blocked\", or the GPU");
      }
      *method = Method::blocked;
    }
    if (options.normal != NormalMethod::automatic && options.normal != NormalMethod::gridded) {
      throw Error("Cannot plan the transform",
                  "the normal operator \"" + std::string(normalMethodName(options.normal)) +
                      "\" does not run on the CPU",
                  "Choose \"auto\" or \"gridded\"");
    }
    options.normal = NormalMethod::gridded;
    return options;
  }
};

template <class Real>
std::int64_t pointBytes(int dims) {
  SortedPoints<Real> points;
  points.dims = dims;
  return points.recordBytes();
}

// Grid, points, and what sorting them needs for a moment.
template <class Real>
std::int64_t memoryOf(const GridLayout& layout, std::int64_t points) {
  return layout.cells * static_cast<std::int64_t>(sizeof(std::complex<Real>)) +
         points * (pointBytes<Real>(layout.dims) + static_cast<std::int64_t>(2 * sizeof(std::uint32_t)));
}

template <class Real>
void checkMemory(const Design<Real>& design, std::int64_t points) {
  const std::int64_t needed = memoryOf<Real>(design.layout, points), limit = design.options.memoryLimit;
  if (limit <= 0 || needed <= limit) return;
  constexpr double mebi = 1024.0 * 1024.0;
  throw Error("Cannot plan the transform",
              "it takes " + std::to_string(std::llround(std::ceil(needed / mebi))) + " MiB, the limit is " +
                  std::to_string(std::llround(limit / mebi)) + " MiB",
              "Choose a smaller oversampling ratio, or raise the limit");
}

// Books a call's whole time; stages inside it book their own.
class Call {
 public:
  explicit Call(StageTimings* timings) : timings_(timings), start_(timings ? now() : 0) {
    if (timings_) *timings_ = {};
  }
  ~Call() {
    if (timings_) timings_->total = now() - start_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  void moved(Stage stage, std::int64_t bytes) const {
    if (timings_) timings_->bytes[static_cast<std::size_t>(stage)] += static_cast<double>(bytes);
  }
  StageTimings* timings() const { return timings_; }

 private:
  StageTimings* timings_;
  double start_;
};

template <class Real>
class CpuNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  CpuNufft(const NufftProblem& problem, const NufftOptions& options)
      : problem_(problem),
        design_(problem, options),
        kernel_(design_.polynomial),
        fft_(problem.size, design_.layout, factors(), problem.sign, design_.options.threads),
        schedule_(design_.layout, kernel_, design_.options.threads) {
    checkMemory(design_, 0);
    allocateGrid();
    describe();
  }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return schedule_.points().count; }

  void setPoints(std::span<const double> points, StageTimings* timings) override {
    const Call call(timings);
    const auto dims = static_cast<std::size_t>(problem_.dims);
    if (points.size() % dims != 0) {
      throw Error("Cannot set the points of a transform",
                  std::to_string(points.size()) + " coordinates do not make points of " +
                      std::to_string(dims) + " dimensions",
                  "Give all coordinates of each point");
    }
    const auto count = static_cast<std::int64_t>(points.size() / dims);
    checkMemory(design_, count);
    {
      const StageTimer timer(timings, Stage::sort);
      schedule_.setPoints(points, design_.options.width);
      call.moved(Stage::sort, static_cast<std::int64_t>(2 * points.size_bytes()) +
                                  static_cast<std::int64_t>(schedule_.points().records.size()));
    }
    sortedWeights_.clear();
    info_.memory = memory();
  }

  void forward(const Complex* image, Complex* samples, const Execution& execution) override {
    const Call call(execution.timings);
    if (points() == 0) return;
    for (std::int64_t b = 0; b < problem_.batch; ++b) {
      toGrid(call, image + b * problem_.pixels());
      interpolate(call, samples + b * points(), false);
    }
  }

  void adjoint(const Complex* samples, Complex* image, const Execution& execution) override {
    const Call call(execution.timings);
    if (points() == 0) {
      std::fill_n(image, problem_.batch * problem_.pixels(), Complex(0));
      return;
    }
    for (std::int64_t b = 0; b < problem_.batch; ++b) {
      spread(call, samples + b * points(), false);
      toImage(call, image + b * problem_.pixels());
    }
  }

  void setWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
    sortedWeights_.clear();
  }

  void normal(const Complex* in, Complex* out, const Execution& execution) override {
    const Call call(execution.timings);
    if (points() == 0) {
      std::fill_n(out, problem_.batch * problem_.pixels(), Complex(0));
      return;
    }
    sortWeights(call);
    samples_.resize(static_cast<std::size_t>(points()));
    for (std::int64_t b = 0; b < problem_.batch; ++b) {
      toGrid(call, in + b * problem_.pixels());
      interpolate(call, samples_.data(), true);
      multiply(call);
      spread(call, samples_.data(), true);
      toImage(call, out + b * problem_.pixels());
    }
    info_.memory = memory();
  }

 private:
  std::array<std::vector<double>, 3> factors() const {
    std::array<std::vector<double>, 3> result;
    for (int d = 0; d < problem_.dims; ++d) {
      const auto at = static_cast<std::size_t>(d);
      result[at] = deapodization(design_.kernel, problem_.size[at], design_.grid[at]);
    }
    return result;
  }

  void allocateGrid() {
    try {
      grid_.resize(static_cast<std::size_t>(design_.layout.cells));
    } catch (const std::bad_alloc&) {
      throw Error("Cannot plan the transform", "its grid does not fit into memory",
                  "Choose a smaller oversampling ratio or image");
    }
    useHugePages(grid_.data(), grid_.size() * sizeof(Complex));
    zeroGrid();  // padding that is read, times a kernel value of zero, has to be finite
  }

  void describe() {
    const Design<Real>& d = design_;
    info_.backend = "cpu";
    info_.options = d.options;
    info_.grid = d.grid;
    info_.beta = d.kernel.beta();
    info_.polynomialDegree = d.polynomial.degree;
    info_.error = predictError(problem_, d.kernel, d.grid, d.polynomial.deviation);
    info_.memory = memory();
    std::string tile;
    for (int i = 0; i < problem_.dims; ++i) {
      tile += (i ? "x" : "") + std::to_string(d.layout.tile[static_cast<std::size_t>(i)]);
    }
    const int threads = d.options.threads;
    info_.description = "cpu blocked, " + std::to_string(threads) +
                        (threads == 1 ? " thread, " : " threads, ") +
                        std::string(instructionSetName(instructionSet())) + ", tiles " + tile;
  }

  std::int64_t memory() const {
    return static_cast<std::int64_t>((grid_.size() + samples_.size()) * sizeof(Complex) +
                                     sortedWeights_.size() * sizeof(Real) +
                                     weights_.size() * sizeof(double)) +
           schedule_.bytes();
  }

  std::int64_t gridBytes() const { return static_cast<std::int64_t>(grid_.size() * sizeof(Complex)); }
  std::int64_t sampleBytes() const {
    return static_cast<std::int64_t>(schedule_.points().records.size()) +
           points() * static_cast<std::int64_t>(sizeof(Complex));
  }

  void zeroGrid() {
    parallelFor(design_.layout.cells, design_.options.threads, cellsPerZeroTask,
                [&](std::int64_t begin, std::int64_t end) {
                  std::fill(grid_.begin() + begin, grid_.begin() + end, Complex(0));
                });
  }

  // --- stages ----------------------------------------------------------------------------------------
  void toGrid(const Call& call, const Complex* image) {
    const StageTimer timer(call.timings(), Stage::fft);  // deapodization is part of the first pass
    fft_.toGrid(image, grid_.data());
    call.moved(Stage::fft, 2 * gridBytes());
  }

  void toImage(const Call& call, Complex* image) {
    const StageTimer timer(call.timings(), Stage::fft);  // deapodization is part of the last pass
    fft_.toImage(grid_.data(), image);
    call.moved(Stage::fft, 2 * gridBytes());
  }

  void interpolate(const Call& call, Complex* samples, bool sorted) {
    const StageTimer timer(call.timings(), Stage::interpolate);
    schedule_.interpolate(grid_.data(), samples, sorted);
    call.moved(Stage::interpolate, sampleBytes() + gridBytes());
  }

  void spread(const Call& call, const Complex* samples, bool sorted) {
    {
      const StageTimer timer(call.timings(), Stage::zero);
      zeroGrid();
      call.moved(Stage::zero, gridBytes());
    }
    const StageTimer timer(call.timings(), Stage::spread);
    schedule_.spread(samples, sorted, grid_.data());
    call.moved(Stage::spread, sampleBytes() + 2 * gridBytes());
  }

  void multiply(const Call& call) {
    if (sortedWeights_.empty()) return;
    const StageTimer timer(call.timings(), Stage::multiply);
    parallelFor(points(), design_.options.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = begin; j < end; ++j) {
        samples_[static_cast<std::size_t>(j)] *= sortedWeights_[static_cast<std::size_t>(j)];
      }
    });
    call.moved(Stage::multiply, points() * static_cast<std::int64_t>(2 * sizeof(Complex) + sizeof(Real)));
  }

  template <int dims>
  void gatherWeights() {
    const SortedPoint<Real, dims>* point = schedule_.points().template as<dims>();
    for (std::int64_t j = 0; j < points(); ++j) {
      sortedWeights_[static_cast<std::size_t>(j)] =
          static_cast<Real>(weights_[static_cast<std::size_t>(point[j].source)]);
    }
  }

  void sortWeights(const Call& call) {
    if (weights_.empty() || !sortedWeights_.empty()) return;
    if (static_cast<std::int64_t>(weights_.size()) != points()) {
      throw Error("Cannot apply the weights of a transform",
                  "there are " + std::to_string(weights_.size()) + " weights for " +
                      std::to_string(points()) + " points",
                  "Give one weight a point");
    }
    const StageTimer timer(call.timings(), Stage::multiply);
    sortedWeights_.resize(weights_.size());
    switch (problem_.dims) {
      case 1:
        return gatherWeights<1>();
      case 2:
        return gatherWeights<2>();
      default:
        return gatherWeights<3>();
    }
  }

  NufftProblem problem_;
  Design<Real> design_;
  PlanInfo info_;
  LoopKernel<Real> kernel_;
  GridFft<Real> fft_;
  TileSchedule<Real> schedule_;
  Buffer<Complex> grid_;
  std::vector<double> weights_;
  Buffer<Real> sortedWeights_;  // by sorted point; empty: none, or not made yet
  Buffer<Complex> samples_;     // of one image, by sorted point
};

}  // namespace

std::unique_ptr<Nufft<float>> makeCpuNufftFloat(const NufftProblem& problem, const NufftOptions& options) {
  return std::make_unique<CpuNufft<float>>(problem, options);
}

std::unique_ptr<Nufft<double>> makeCpuNufftDouble(const NufftProblem& problem, const NufftOptions& options) {
  return std::make_unique<CpuNufft<double>>(problem, options);
}

std::int64_t estimateCpuMemory(const NufftProblem& problem, const NufftOptions& options,
                               std::int64_t points) {
  if (problem.precision == Precision::single) {
    return memoryOf<float>(Design<float>(problem, options).layout, points);
  }
  return memoryOf<double>(Design<double>(problem, options).layout, points);
}

std::string cpuBadge() {
  const int threads = hardwareThreads();
  return "CPU " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") +
         std::string(instructionSetName(instructionSet()));
}

std::string cpuFingerprint() {
  return std::string(processorName()) + "; " + std::string(instructionSetName(instructionSet())) + "; " +
         std::to_string(hardwareThreads()) + " threads; " + fftwVersion();
}

}  // namespace spokelab
