#include "engine/nufft/plan/plan.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/fft.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/plan/grid_memory.h"
#include "engine/nufft/plan/normal_choice.h"
#include "engine/nufft/plan/point_work.h"
#include "engine/nufft/plan/psf.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/points/sorted_coordinates.h"
#include "engine/nufft/toeplitz/toeplitz.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

constexpr std::int64_t cellsPerZeroTask = 1 << 16;
constexpr std::int64_t samplesPerTask = 1 << 14;

// Puts kernel, grid, sorted points and passes of transforms together.
// Where it is faster and memory allows it, a few images of a batch are interleaved
// (CpuPlanDesign::interleaved): each grid cell then holds a number of each image, and spreading and
// interpolation compute a point's kernel values once for all of them. Grids of lines lie side by
// side (CpuPlanDesign::sideBySide).
template <class Real>
class CpuNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  CpuNufft(const NufftProblem& problem, const NufftOptions& options)
      : problem_(problem),
        request_(options),
        design_(problem, options),
        kernel_(design_.polynomial),
        fft_(problem.size, design_.layout, design_.factors(problem), problem.sign,
             design_.sideBySide(problem) > 1 ? 1 : fftThreads(), 1, design_.options.fftEffort),
        fftInterleaved_(problem.size, design_.layout, design_.factors(problem), problem.sign, fftThreads(),
                        problem.dims > 1 ? interleavedImages : 1, design_.options.fftEffort),
        work_(design_, kernel_) {
    design_.requireRoom(problem_, 0, design_.imagesTogether(problem_, 0), memory());
    setGrid(design_.imagesTogether(problem_, 0));
    describe();
  }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override {
    resolveNormal();
    return info_;
  }
  std::int64_t points() const override { return work_.points().count; }

  void setPoints(const PlanPoints& given) override {
    const Span call("set points", SpanKind::call);
    const HostPoints hostPoints(given, problem_, design_.options.threads);
    const std::span<const double> points = hostPoints.coordinates();
    const auto count = static_cast<std::int64_t>(points.size()) / problem_.dims;
    const int images = design_.imagesTogether(problem_, count), imagesBefore = gridImages_;
    design_.requireRoom(problem_, count, images, memory());
    try {
      setGrid(images);
      StageTimer timer(Stage::sort);
      work_.setPoints(points, gridImages_ > 1);
      timer.moved(double(2 * points.size_bytes() + work_.points().records.size()));
    } catch (...) {
      restoreGrid(imagesBefore);
      throw;
    }
    sortedWeights_.clear();
    finer_.reset();
    convolves_ = false;
    normalResolved_ = false;
    info_.memory = memory();
    info_.description = describeDesign(design_, work_.layout());
  }

  void forward(const Complex* image, Complex* samples, const Execution&) override {
    const Span call("forward", SpanKind::call);
    if (points() == 0) return;
    inPasses([&](std::int64_t first, const ImageSet& images) {
      toGrid(image + first * problem_.pixels(), images);
      interpolate(samples + first * points(), false, images);
    });
  }

  void adjoint(const Complex* samples, Complex* image, const Execution&) override {
    const Span call("adjoint", SpanKind::call);
    if (points() == 0) {
      std::fill_n(image, problem_.batch * problem_.pixels(), Complex(0));
      return;
    }
    inPasses([&](std::int64_t first, const ImageSet& images) {
      spread(samples + first * points(), false, images);
      toImage(image + first * problem_.pixels(), images);
    });
  }

  void setWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
    sortedWeights_.clear();
    finer_.reset();
    convolves_ = false;
  }

  std::int64_t workspaceBytes() const override { return grid_.bytesWith(workspaceSamples()); }
  void setWorkspace(void* lent, std::int64_t bytes) override {
    grid_.lend(lent, bytes, workspaceBytes());
    if (!lent) zeroGrid(grid_.cells());
    samples_ = Buffer<Complex>();
    info_.memory = memory();
  }

  void normal(const Complex* in, Complex* out, const Execution& execution) override {
    const Span call("normal", SpanKind::call);
    if (points() == 0) {
      std::fill_n(out, problem_.batch * problem_.pixels(), Complex(0));
      return;
    }
    requireWeights(weights_.size(), points());
    resolveNormal();
    if (isToeplitz(info_.options.normal)) {
      if (!convolves_) makeToeplitz();
      for (std::int64_t b = 0; b < problem_.batch; ++b)
        toeplitz_->apply(in + b * problem_.pixels(), out + b * problem_.pixels());
      info_.memory = memory();
      return;
    }
    toeplitz_.reset();  // of points before, where the choice was another
    if (design_.options.normal != NormalMethod::gridded &&
        !meetsNormalAccuracy(design_.options, design_.error)) {
      if (!finer_) makeFiner();
      finer_->normal(in, out, execution);
      info_.memory = memory();
      return;
    }
    sortWeights();
    Complex* const samples = passSamples();
    inPasses([&](std::int64_t first, const ImageSet& images) {
      toGrid(in + first * problem_.pixels(), images);
      interpolate(samples, true, images);
      multiply(samples, images);
      spread(samples, true, images);
      toImage(out + first * problem_.pixels(), images);
    });
    info_.memory = memory();
  }

 private:
  // One dimension is one transform, whose rounding follows from FFTW's threads.
  int fftThreads() const {
    return design_.options.reproducible && problem_.dims == 1 ? 1 : design_.options.threads;
  }

  void setGrid(int images) {
    if (images == gridImages_) return;
    gridImages_ = 0;
    try {
      grid_.resize(images * design_.gridStep());
    } catch (const std::bad_alloc&) {
      throw Error("Cannot plan the transform", "its grid does not fit into memory",
                  "Choose a smaller oversampling ratio or image");
    }
    gridImages_ = images;
    info_.options.interleave = problem_.dims == 1 ? 1 : images;
    // Zero the padding: loops multiply it by 0, and 0 x NaN would spread.
    if (!grid_.isLent()) zeroGrid(grid_.cells());
  }

  // Makes the plan usable after new points were refused: the points before need their grid. Without
  // memory for it the plan has no points.
  void restoreGrid(int images) {
    try {
      setGrid(images);
    } catch (const Error&) {
      work_.clear();
    }
    info_.memory = memory();
  }

  // Samples of the normal operator, where it is gridded in any case.
  std::int64_t workspaceSamples() const {
    return design_.options.normal == NormalMethod::gridded ? points() * gridImages_ : 0;
  }
  Complex* passSamples() {
    if (grid_.isLent() && workspaceSamples() > 0) return grid_.samples();
    samples_.resize(static_cast<std::size_t>(points() * gridImages_));
    return samples_.data();
  }

  // Runs the batch, gridImages_ at a time; fewer than minInterleavedImages one by one, but lines.
  template <class Pass>
  void inPasses(const Pass& pass) {
    grid_.require(workspaceBytes());
    for (std::int64_t first = 0, count = 0; first < problem_.batch; first += count) {
      count = std::min<std::int64_t>(gridImages_, problem_.batch - first);
      const bool lines = problem_.dims == 1;
      if (!lines && count < minInterleavedImages) count = 1;
      pass(first, ImageSet{static_cast<int>(count), !lines && count > 1, points()});
    }
  }

  // forGrids() for FFTs: each of several lines has a thread.
  template <class Work>
  void forLines(const ImageSet& images, const Work& work) const {
    if (images.grids() == 1) return work(0, images.count);
    parallelTasks(images.grids(), design_.options.threads, [&](std::int64_t i) { work(i, 1); });
  }
  std::int64_t gridNumbers(const ImageSet& images) const {
    return images.grids() * images.imagesPerCell() * design_.gridStep();
  }

  const GridFft<Real>& fftOf(const ImageSet& images) const {
    return images.interleaved ? fftInterleaved_ : fft_;
  }

  void describe() {
    const CpuPlanDesign<Real>& d = design_;
    info_.backend = "cpu";
    info_.options = d.options;
    info_.options.interleave = problem_.dims == 1 ? 1 : gridImages_;
    info_.grid = d.grid;
    info_.beta = d.kernel.beta();
    info_.polynomialDegree = d.polynomial.degree;
    info_.error = d.error;
    info_.memory = memory();
    info_.description = describeDesign(d, work_.layout());
  }

  std::int64_t memory() const {
    return static_cast<std::int64_t>(samples_.size() * sizeof(Complex) +
                                     sortedWeights_.size() * sizeof(Real) +
                                     weights_.size() * sizeof(double)) +
           grid_.ownBytes() + work_.bytes() + (toeplitz_ ? toeplitz_->memory() : 0) +
           (finer_ ? finer_->memory() : 0);
  }

  std::int64_t gridBytes(const ImageSet& images) const {
    return gridNumbers(images) * static_cast<std::int64_t>(sizeof(Complex));
  }
  std::int64_t sampleBytes(const ImageSet& images) const {
    return std::int64_t(work_.points().records.size() + images.count * points() * sizeof(Complex));
  }

  void zeroGrid(std::int64_t numbers) {
    parallelFor(numbers, design_.options.threads, cellsPerZeroTask, [&](std::int64_t a, std::int64_t b) {
      std::fill(grid_.data() + a, grid_.data() + b, Complex(0));
    });
  }

  void toGrid(const Complex* image, const ImageSet& images) {
    StageTimer timer(Stage::fft);  // deapodization is part of the first pass
    // Zero the padding again where interleaved images, or the caller of lent memory, wrote there.
    if (grid_.isLent() || (gridInterleaved_ && !images.interleaved)) zeroGrid(gridNumbers(images));
    gridInterleaved_ = images.interleaved;
    forLines(images, [&](std::int64_t i, int count) {
      fftOf(images).toGrid(image + i * problem_.pixels(), grid_.data() + i * design_.gridStep(), count);
    });
    timer.moved(double(2 * gridBytes(images)));
  }

  void toImage(Complex* image, const ImageSet& images) {
    StageTimer timer(Stage::fft);  // deapodization is part of the last pass
    forLines(images, [&](std::int64_t i, int count) {
      fftOf(images).toImage(grid_.data() + i * design_.gridStep(), image + i * problem_.pixels(), count);
    });
    timer.moved(double(2 * gridBytes(images)));
  }

  void interpolate(Complex* samples, bool sorted, const ImageSet& images) {
    StageTimer timer(Stage::interpolate);
    forGrids(images, [&](std::int64_t i, const ImageSet& own) {
      work_.interpolate(grid_.data() + i * design_.gridStep(), samples + i * points(), sorted, own);
    });
    timer.moved(double(work_.interpolationMatrixBytes() + sampleBytes(images) + gridBytes(images)));
  }

  void spread(const Complex* samples, bool sorted, const ImageSet& images) {
    const bool sparse = design_.options.spread == Method::sparse;  // writes every cell
    gridInterleaved_ = images.interleaved;
    if (!sparse) {
      StageTimer timer(Stage::zero);
      zeroGrid(gridNumbers(images));
      timer.moved(double(gridBytes(images)));
    }
    StageTimer timer(Stage::spread);
    forGrids(images, [&](std::int64_t i, const ImageSet& own) {
      work_.spread(samples + i * points(), sorted, grid_.data() + i * design_.gridStep(), own);
    });
    timer.moved(double(sparse ? work_.spreadMatrixBytes() + gridBytes(images)
                              : sampleBytes(images) + 2 * gridBytes(images)));
  }

  void multiply(Complex* allSamples, const ImageSet& images) {
    if (sortedWeights_.empty()) return;
    StageTimer timer(Stage::multiply);
    parallelFor(points(), design_.options.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (int i = 0; i < images.count; ++i) {
        Complex* samples = allSamples + i * points();
        for (std::int64_t j = begin; j < end; ++j) samples[j] *= sortedWeights_[static_cast<std::size_t>(j)];
      }
    });
    const std::int64_t each = 2 * images.count * std::int64_t{sizeof(Complex)} + std::int64_t{sizeof(Real)};
    timer.moved(double(points() * each));
  }

  void sortWeights() {
    if (weights_.empty() || !sortedWeights_.empty()) return;
    const StageTimer timer(Stage::multiply);
    sortedWeights_.resize(weights_.size());
    gatherSorted(work_.points(), weights_, sortedWeights_.data());
  }

  // Where somebody asks: the choice takes longer than setting some 10^5 points.
  void resolveNormal() const {
    if (normalResolved_) return;
    normalResolved_ = true;
    NormalMethod& normal = info_.options.normal = design_.options.normal;
    if (normal == NormalMethod::automatic) normal = chooseNormal(problem_, request_, design_, points());
    if (normal == NormalMethod::later) normal = NormalMethod::gridded;
    if (normal == NormalMethod::toeplitz)
      info_.options.toeplitzAlpha = toeplitzAlphaOf(problem_, design_.options.toeplitzAlpha);
  }

  // The time of making it is booked to no stage: it is made once for points and weights.
  void makeToeplitz() {
    const SpanScope unbooked(SpanCut::stages);
    const bool shifted = info_.options.normal == NormalMethod::toeplitzShifted;
    if (!toeplitz_)
      toeplitz_ = std::make_unique<ToeplitzOperator<Real>>(problem_, shifted, design_.options.toeplitzAlpha,
                                                           fftThreads(), design_.options.fftEffort);
    setPointSpread<Real>(problem_, design_.options, coordinates(), weightsOfSorted(), memoryLeft(),
                         *toeplitz_);
    convolves_ = true;
  }

  void makeFiner() {
    const SpanScope unbooked(SpanCut::stages);
    NufftOptions options = withGriddedNormal(request_);
    options.memoryLimit = memoryLeft();
    auto finer = std::make_unique<CpuNufft>(problem_, options);
    finer->setPoints(coordinates());
    finer->setWeights(weightsOfSorted());
    finer_ = std::move(finer);
  }

  // The sorted points' coordinates, cycles per pixel.
  std::vector<double> coordinates() const {
    return sortedCoordinates(work_.points(), work_.layout(), design_.options.width, design_.options.threads);
  }
  std::vector<double> weightsOfSorted() const {
    std::vector<double> weights(weights_.size());
    if (!weights.empty()) gatherSorted(work_.points(), weights_, weights.data());
    return weights;
  }
  // Bytes of the memory limit that this plan leaves; 0: no limit.
  std::int64_t memoryLeft() const {
    const std::int64_t limit = design_.options.memoryLimit;
    return limit > 0 ? std::max<std::int64_t>(1, limit - memory()) : 0;
  }

  NufftProblem problem_;
  NufftOptions request_;
  CpuPlanDesign<Real> design_;
  mutable PlanInfo info_;  // its normal operator: see resolveNormal
  mutable bool normalResolved_ = false;
  LoopKernel<Real> kernel_;
  GridFft<Real> fft_, fftInterleaved_;  // of one image; of interleaved images
  PointWork<Real> work_;
  GridMemory<Complex, HugeBuffer<Complex>, 64> grid_;  // [z, y, x][image]
  int gridImages_ = 0;                                 // that the grid has room for
  bool gridInterleaved_ = false;
  std::vector<double> weights_;
  // Weights in the order of the sorted points; empty: no weights, or not made yet.
  Buffer<Real> sortedWeights_;
  Buffer<Complex> samples_;                           // [image][sorted point]; empty in lent memory
  std::unique_ptr<ToeplitzOperator<Real>> toeplitz_;  // null: not made yet
  // The finer plan of a gridded normal operator that the caller left open, with these points and
  // weights; null: not made yet.
  std::unique_ptr<CpuNufft> finer_;
  bool convolves_ = false;  // toeplitz_ belongs to these points and weights
};

}  // namespace

std::unique_ptr<Nufft<float>> makeCpuNufftFloat(const NufftProblem& problem, const NufftOptions& options) {
  return std::make_unique<CpuNufft<float>>(problem, options);
}

std::unique_ptr<Nufft<double>> makeCpuNufftDouble(const NufftProblem& problem, const NufftOptions& options) {
  return std::make_unique<CpuNufft<double>>(problem, options);
}

}  // namespace spokelab
