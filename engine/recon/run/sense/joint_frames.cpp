#include "engine/recon/run/sense/joint_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/recon/job/fingerprints.h"
#include "engine/recon/job/time_trains.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/recon/run/sense/sense_result.h"

namespace spokelab {
namespace {

class JointFrames final : public RecipeRun {
 public:
  explicit JointFrames(RunContext& context)
      : context_(context),
        options_(context.job.options),
        basis_(context.job.basis),
        solver_(recipeIterations(options_)),
        densities_(context.scan, options_, context.backend),
        trains_(timeTrains(context.job)),
        averaged_(context.share.mapFrames.empty() ? mapFrames(context.frames) : context.share.mapFrames) {}

  std::size_t framesAtOnce() const override { return context_.frames.size(); }
  double prepareShare() const override { return 0.3; }  // the maps

  void prepare(const Unknown& unknown, const Progress& progress) override {
    notes_.clear();
    problems_.clear();
    CoilMapSource maps{averaged_, {}, {}, nullptr};  // the frames share them
    const double count = double(unknown.frames.size());
    for (const int frame : unknown.frames) {
      if (!problems_.empty()) {
        maps.known = std::move(problems_.back().maps);
        maps.knownToBackend = problems_.back().backendMaps;
      }
      const double done = double(problems_.size());
      SenseProblem problem = senseProblem(context_.backend, context_.scan, context_.preparation.mixing,
                                          context_.job, frame, unknown.slice, densities_, maps, notes_,
                                          progress.part(done / count, (done + 1) / count));
      problem.mixer = context_.preparation.mixer;
      problem.basisKernels = context_.job.basisKernels;
      problem.train = trains_[problems_.size()];
      if (!basis_.empty())
        problem.basis = rowOf(problems_.size());
      else if (!options_.inDouble())
        problem.hostImage = context_.pixelsOf<float>(unknown.frame + problems_.size(), unknown.slicePlace);
      problems_.push_back(std::move(problem));
    }
    // The solver takes the maps of the first frame.
    std::swap(problems_.front().maps, problems_.back().maps);
  }

  void solve(const Unknown& unknown, const Progress& progress) override {
    shown_ = unknown.frames[basis_.empty() ? unknown.frames.size() / 2 : 0];
    const IterationWatcher watcher =
        watcherOf(options_.iterative, shown_, unknown.slice, context_.preparation.exponent);
    solution_ = context_.backend.jointRun(problems_)->run(solver_, watcher, false, progress);
    context_.result.density = densities_.originInSolve(shown_, progress);
  }

  void place(const Unknown& unknown) override {
    const JobTimer timer(JobStage::combine);
    if (context_.job.keepsMaps()) {
      keepMaps(solution_.image, unknown);
      keepMaps(solution_.doubleImage, unknown);
    }
    const bool coefficients = context_.job.keepsCoefficients();
    const std::size_t images = coefficients ? std::size_t(basis_.coefficients) : unknown.frames.size();
    for (std::size_t f = 0; f < images && !context_.job.keepsMaps(); ++f) {
      keepPart(solution_.image, f, context_.pixelsOf<float>(unknown.frame + f, unknown.slicePlace));
      keepPart(solution_.doubleImage, f, context_.pixelsOf<double>(unknown.frame + f, unknown.slicePlace));
    }
    context_.complete = int(unknown.frame + unknown.frames.size());
    recordSolution(context_, solution_, shown_, unknown.slice, notes_, solver_);
    if (unknown.last || solution_.cancelled) problems_.clear();
    if (solution_.cancelled) throw Cancelled{};
  }

  std::string cancelNote() const override {
    const IterationRecord& last = context_.result.iterations.back();
    return "cancelled in slice " + std::to_string(last.slice) + "; its images are the ones after iteration " +
           std::to_string(last.residuals.size());
  }

 private:
  // Images of frames, or of coefficients, follow each other, where they did not go to their places
  // by themselves. A frame of coefficients is their combination.
  template <class Complex>
  void keepPart(const std::vector<Complex>& images, std::size_t frame, Complex* place) const {
    const auto pixels = std::size_t(context_.job.pixels);
    if (images.empty() || !place) return;
    if (basis_.empty() || context_.job.keepsCoefficients())
      return keepImage(images.data() + frame * pixels, pixels, place);
    std::vector<Complex> combined(pixels);
    const std::vector<cdouble> row = rowOf(frame);
    parallelFor(std::int64_t(pixels), 0, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t k = 0; k < row.size(); ++k)
        for (std::int64_t i = begin; i < end; ++i)
          combined[std::size_t(i)] += Complex(row[k]) * images[k * pixels + std::size_t(i)];
    });
    keepImage(combined.data(), pixels, place);
  }

  // T1, T2 and signal of the fingerprint that matches each pixel. The image is divided by
  // 2^exponent at last, which times are not.
  template <class Real>
  void keepMaps(const std::vector<std::complex<Real>>& images, const Unknown& unknown) const {
    constexpr double milliseconds = 1e3;
    constexpr std::int64_t pixelsPerTask = 64;
    const auto pixels = std::size_t(context_.job.pixels);
    const auto place = [&](std::size_t map) {
      return context_.pixelsOf<Real>(unknown.frame + map, unknown.slicePlace);
    };
    std::complex<Real>*const t1 = place(0), *const t2 = place(1), *const signal = place(2);
    if (images.empty() || !t1) return;
    const double scale = std::ldexp(milliseconds, context_.preparation.exponent);
    parallelFor(std::int64_t(pixels), 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const FingerprintMatch found = basis_.dictionary->match(images.data() + i, pixels);
        t1[i] = Real(scale * found.t1);
        t2[i] = Real(scale * found.t2);
        signal[i] = std::complex<Real>(found.signal);
      }
    });
  }

  std::vector<cdouble> rowOf(std::size_t frame) const {
    const auto first = basis_.values.begin() + std::ptrdiff_t(frame) * basis_.coefficients;
    return {first, first + basis_.coefficients};
  }

  RunContext& context_;
  const ReconOptions& options_;
  const TemporalBasis& basis_;  // empty: the frames are the unknowns
  IterationOptions solver_;
  FrameDensities densities_;
  const std::vector<int> trains_;  // the number of each frame's
  const std::vector<int> averaged_;
  std::vector<std::string> notes_;
  std::vector<SenseProblem> problems_;  // of each frame
  int shown_ = 0;                       // the frame that a watcher sees
  SenseSolution solution_;
};

}  // namespace

std::unique_ptr<RecipeRun> jointFrames(RunContext& context, const Progress&) {
  return std::make_unique<JointFrames>(context);
}

}  // namespace spokelab
