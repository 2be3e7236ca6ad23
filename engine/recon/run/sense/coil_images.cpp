#include "engine/recon/run/sense/coil_images.h"

#include <cmath>
#include <utility>

#include "engine/recon/options/recipe_table.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/recon/run/sense/sense_result.h"

namespace spokelab {
namespace {

class CoilImages final : public RecipeRun {
 public:
  explicit CoilImages(RunContext& context)
      : context_(context),
        solver_(recipeIterations(context.job.options)),
        densities_(context.scan, context.job.options, context.backend) {}

  double prepareShare() const override { return 0.1; }

  void prepare(const Unknown& unknown, const Progress& progress) override {
    notes_.clear();
    problems_.clear();
    CoilMapSource none;
    SenseProblem multiCoil =
        senseProblem(context_.backend, context_.scan, context_.preparation.mixing, context_.job,
                     unknown.frames.front(), unknown.slice, densities_, none, notes_, progress);
    const std::vector<ComplexPointer> coils = std::exchange(multiCoil.coils, {});
    multiCoil.mixer = context_.preparation.mixer;
    multiCoil.mapSets = multiCoil.batch = 1;
    multiCoil.maps.assign(std::size_t(context_.job.pixels), cfloat(1));
    for (const ComplexPointer& coil : coils) {
      problems_.push_back(multiCoil);
      problems_.back().coils = {coil};
      multiCoil.maps.clear();  // the solver takes those of the first
    }
  }

  void solve(const Unknown& unknown, const Progress& progress) override {
    const IterativeOptions& options = context_.job.options.iterative;
    const int frame = unknown.frames.front();
    solution_ = context_.backend.jointRun(problems_)->run(
        solver_, watcherOf(options, frame, unknown.slice, context_.preparation.exponent), false, progress);
    context_.result.density = densities_.originInSolve(frame, progress);
  }

  void place(const Unknown& unknown) override {
    const JobTimer timer(JobStage::combine);
    combine(solution_.image, context_.pixelsOf<float>(unknown.frame, unknown.slicePlace));
    combine(solution_.doubleImage, context_.pixelsOf<double>(unknown.frame, unknown.slicePlace));
    context_.complete = int(unknown.frame) + 1;
    recordSolution(context_, solution_, unknown.frames.front(), unknown.slice, notes_, solver_);
    if (unknown.last || solution_.cancelled) problems_.clear();
    if (solution_.cancelled) throw Cancelled{};
  }

  std::string cancelNote() const override {
    const IterationRecord& last = context_.result.iterations.back();
    return "cancelled in frame " + std::to_string(last.frame) + ", slice " + std::to_string(last.slice) +
           "; its image is the one after iteration " + std::to_string(last.residuals.size());
  }

 private:
  // images [coil, pixel]: the root of their sum of squares.
  template <class Complex>
  void combine(const std::vector<Complex>& images, Complex* place) const {
    constexpr std::int64_t pixelsPerTask = 1 << 14;
    const auto pixels = std::size_t(context_.job.pixels);
    if (images.empty() || !place) return;
    parallelFor(std::int64_t(pixels), 0, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
        double sum = 0;
        for (std::size_t at = i; at < images.size(); at += pixels) sum += std::norm(cdouble(images[at]));
        place[i] = Complex(typename Complex::value_type(std::sqrt(sum)));
      }
    });
  }

  RunContext& context_;
  IterationOptions solver_;
  FrameDensities densities_;
  std::vector<std::string> notes_;
  std::vector<SenseProblem> problems_;  // of each coil
  SenseSolution solution_;
};

}  // namespace

std::unique_ptr<RecipeRun> coilImages(RunContext& context, const Progress&) {
  return std::make_unique<CoilImages>(context);
}

}  // namespace spokelab
