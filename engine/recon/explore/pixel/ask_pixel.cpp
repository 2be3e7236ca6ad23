#include "engine/recon/explore/pixel/ask_pixel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/recon/density/density.h"
#include "engine/recon/explore/pixel/main_lobe.h"
#include "engine/recon/explore/pixel/plan_error.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab {
namespace {

constexpr double fullCircle = 2 * std::numbers::pi;
const char* const cannotAsk = "Cannot ask the pixel";

std::string pixelText(const Index3& pixel, int dims) {
  std::string text = std::to_string(pixel[0]) + "," + std::to_string(pixel[1]);
  return dims < 3 && pixel[2] == 0 ? text : text + "," + std::to_string(pixel[2]);
}

// The options for the pixel's frame and slice alone, in single precision.
ReconOptions optionsForPixel(const Scan& scan, ReconOptions options, const Index3& pixel) {
  options.frames = std::to_string(planJob(scan, options).frames.front());
  options.slices = scan.dims() < 3 ? std::to_string(pixel[2]) : std::string();
  if (options.combination == Combination::none) options.combination = Combination::rootSumSquares;
  options.exact = false;
  options.precision = Precision::single;
  options.iterative.watcher = {};
  return options;
}

void requireInside(const Scan& scan, const Index3& pixel) {
  Index3 size = scan.geometry.matrix;
  if (scan.dims() < 3) size[2] = scan.slices;
  for (std::size_t d = 0; d < 3; ++d)
    if (pixel[d] < 0 || pixel[d] >= size[d])
      throw Error(std::string(cannotAsk) + " " + pixelText(pixel, scan.dims()),
                  "the image has " + sizeText(size, size[2] > 1 ? 3 : 2, " x ") + " pixels",
                  "Give x, y and z (or the slice) from 0");
}

// All that is known about the pixel before its samples are looked at.
class AskedPixel {
 public:
  AskedPixel(Backend& backend, const Scan& scan, const ReconOptions& userOptions, const Index3& pixel,
             const Progress& progress)
      : backend_(backend), scan_(scan), pixel_(pixel) {
    requireInside(scan, pixel);
    backend.useOnThisThread();
    ReconOptions options = optionsForPixel(scan, userOptions, pixel);
    const Recipe& recipe = recipeOf(options);
    iterates_ = recipe.iterates;
    if (iterates_) {
      solver_ = recipeIterations(options);
      takeLinearMethod(recipe, options);
    } else if (isFoundField(options.iterative.fieldMap)) {
      options.iterative.fieldMap = "none";
    }
    options = withEchoField(backend, scan, std::move(options), progress.part(0, fieldShare));
    const JobPlan planned = planJob(scan, options);
    job_ = afterPreparation(planned);
    preparation_ = prepareScan(scan, planned, progress.part(fieldShare, preparedShare));
    answer.notes.insert(answer.notes.end(), preparation_.notes.begin(), preparation_.notes.end());
    frame_ = job_.frames.front();
    slice_ = job_.slices.front();
    weights_ = densityWeights(trajectory(), matrix(), job_.options, backend,
                              progress.part(preparedShare, weightsShare));
    answer.pixel = pixel;
    answer.frame = frame_;
    answer.coils = prepared().coils;
    answer.wholeShots = int(scan.trajectory(frame_).shots());
    takeField(progress.part(weightsShare, mapsShare / 2));
    if (iterates_) takeMaps(progress.part(mapsShare / 2, mapsShare));
    makePhases();
  }

  void findInfluences(const Progress& progress);
  void findSpread(const Progress& progress) {
    answer.spread = *makeImage(scan_, 1, {slice_}, false, frame_);
    answer.spread.name = spreadName(scan_.name, pixelText(pixel_, scan_.dims()));
    answer.isReconstructed = iterates_;
    iterates_ ? solveSpread(progress) : gridSpread();
    measureSpread();
  }
  void predictError();

  PixelAnswer answer;

 private:
  static constexpr double fieldShare = 0.1, preparedShare = 0.15, weightsShare = 0.5, mapsShare = 1;

  const Scan& prepared() const { return preparation_.scan ? *preparation_.scan : scan_; }
  const Trajectory& trajectory() const { return prepared().trajectory(frame_); }
  const Index3& matrix() const { return scan_.geometry.matrix; }
  // The pixel's place in the slice, or in the volume.
  std::size_t place() const {
    const std::int64_t z = scan_.dims() < 3 ? 0 : pixel_[2];
    return std::size_t((z * matrix()[1] + pixel_[1]) * matrix()[0] + pixel_[0]);
  }
  std::size_t formPlace(std::int64_t form) const {
    return std::size_t(form * std::int64_t(job_.pixels)) + place();
  }
  double gridScale() const {
    double scale = 1;
    for (std::size_t d = 0; d < std::size_t(scan_.dims()); ++d) scale /= double(matrix()[d]);
    return scale;
  }

  void takeLinearMethod(const Recipe& recipe, ReconOptions& options);
  void takeField(const Progress& progress);
  void takeMaps(const Progress& progress);
  void makePhases();
  void gridSpread();
  void solveSpread(const Progress& progress);
  void measureSpread();

  Backend& backend_;
  const Scan& scan_;
  Index3 pixel_;
  bool iterates_ = false;
  IterationOptions solver_;
  JobPlan job_;
  ScanPreparation preparation_;
  int frame_ = 0, slice_ = 0;
  DensityWeights weights_;
  std::vector<double> times_;     // of samples, from the field map's origin; empty: no field acts
  double field_ = 0, decay_ = 0;  // rad/s and 1/s, there
  PhaseForms forms_;
  SenseProblem problem_;       // of methods that iterate
  std::vector<cdouble> maps_;  // of each coil, there
  double mapSquare_ = 0;
  // Factors of each sample: e^{-2 pi i n0 . k - (i dw + R) t}, as the point is measured, and the
  // conjugate as the method takes it back: gridding knows no field.
  std::vector<cdouble> measured_, back_;
  double valueSquares_ = 0;  // sum over coils and samples of |N^{-d} w y|^2, as the pixel sums them
};

// A lone point tells about linear methods of one frame with given maps.
void AskedPixel::takeLinearMethod(const Recipe& recipe, ReconOptions& options) {
  IterativeOptions& iterative = options.iterative;
  solver_.minChange = solver_.maxSeconds = 0;
  const Regularization asked = solver_.regularization;
  if (asked != Regularization::tikhonov && asked != Regularization::roughness) {
    answer.notes.push_back("the point spread is of the method without its regularization (" +
                           std::string(regularizationName(asked)) +
                           "), which is not linear: what it does depends on the whole image");
    solver_.regularization = Regularization::tikhonov;
    solver_.lambda = 0;
  }
  if (iterative.method == ReconMethod::sense || iterative.method == ReconMethod::pcSense) return;
  if (recipe.joinsFrames || recipe.usesBasis || recipe.findsMaps || recipe.coilImages)
    answer.notes.push_back("answered for SENSE of one frame: " + std::string(recipe.title) +
                           " finds more than the image of this frame");
  iterative.method = ReconMethod::sense;
}

void AskedPixel::takeField(const Progress& progress) {
  ReconOptions options = job_.options;
  options.iterative.transform = TransformKind::automatic;
  if (!iterates_) options.iterative.method = ReconMethod::sense;
  std::vector<std::string> notes;
  SenseProblem problem = transformProblem(prepared(), trajectory(), planJob(prepared(), options),
                                          {frame_, slice_}, notes, progress);
  forms_ = std::move(problem.forms);
  if (problem.times.empty()) return;
  if (!problem.field.empty()) field_ = problem.field[place()];
  if (!problem.decay.empty()) decay_ = problem.decay[place()];
  times_ = std::move(problem.times);
  answer.fieldHz = field_ / fullCircle;
  answer.decay = decay_;
}

void AskedPixel::takeMaps(const Progress& progress) {
  FrameDensities densities(prepared(), job_.options, backend_);
  CoilMapSource source{mapFrames(job_.frames), {}, {}};
  problem_ = senseProblem(backend_, prepared(), preparation_.mixing, job_, frame_, slice_, densities, source,
                          answer.notes, progress);
  problem_.weights = SharedValues::at({});
  if (job_.options.iterative.dataWeights == DataWeights::density) problem_.weights = weights_.values;
  const std::vector<cfloat> allMaps = hostMaps(problem_);
  const auto pixels = std::size_t(product(problem_.matrix));
  for (std::size_t c = 0; c < std::size_t(prepared().coils); ++c) {
    maps_.push_back(cdouble(allMaps[c * pixels + place()]));
    mapSquare_ += std::norm(maps_.back());
  }
  answer.coilSize = std::sqrt(mapSquare_);
  if (!(mapSquare_ > 0))
    throw Error(std::string(cannotAsk) + " " + pixelText(pixel_, scan_.dims()),
                "all coil maps are 0 there: the method leaves the pixel empty",
                "Ask a pixel of the object, or make maps with a lower crop");
}

void AskedPixel::makePhases() {
  const Trajectory& t = trajectory();
  const auto dims = std::size_t(t.dims);
  const bool corrects = iterates_ && fieldActs(problem_);
  measured_.resize(std::size_t(t.samples()));
  back_.resize(measured_.size());
  constexpr std::int64_t samplesPerTask = 1 << 13;
  parallelFor(
      t.samples(), job_.options.nufft.threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (auto j = std::size_t(begin); j < std::size_t(end); ++j) {
          double turns = 0;
          for (std::size_t d = 0; d < dims; ++d)
            turns += double(pixel_[d] - matrix()[d] / 2) * t.points[j * dims + d] / double(matrix()[d]);
          const cdouble plain = std::polar(1.0, -fullCircle * turns);
          for (std::int64_t f = 0; f < forms_.count; ++f)
            turns += forms_.turns[std::size_t(f * t.samples()) + j] * forms_.places[formPlace(f)];
          const double time = times_.empty() ? 0 : times_[j];
          measured_[j] = std::polar(std::exp(-decay_ * time), -fullCircle * turns - field_ * time);
          back_[j] = std::conj(corrects ? measured_[j] : plain);
        }
      });
  for (std::size_t s = 0; s < problem_.phases.size(); ++s)
    for (auto j = std::size_t(t.shotOffsets[s]); j < std::size_t(t.shotOffsets[s + 1]); ++j) {
      const cdouble turn = std::polar(1.0, problem_.phases[s][place()]);
      measured_[j] *= turn;
      back_[j] *= std::conj(turn);
    }
  if (field_ != 0 && !corrects)
    answer.notes.push_back("the field there is not corrected: it shifts and blurs the point");
}

void AskedPixel::findInfluences(const Progress& progress) {
  const Trajectory& t = trajectory();
  const auto shots = std::size_t(t.shots()), coils = std::size_t(prepared().coils);
  const double scale = gridScale() * std::ldexp(1.0, -preparation_.exponent);
  // [shot, coil]
  std::vector<cdouble> parts(shots * coils);
  std::vector<double> weightOf(shots), squaresOf(coils);
  double weightSum = 0, weightSquares = 0;
  for (std::size_t s = 0; s < shots; ++s) {
    for (auto j = std::size_t(t.shotOffsets[s]); j < std::size_t(t.shotOffsets[s + 1]); ++j) {
      weightOf[s] += weights_.values[j];
      weightSquares += weights_.values[j] * weights_.values[j] * std::norm(back_[j]);
    }
    weightSum += weightOf[s];
  }
  parallelTasks(std::int64_t(coils), job_.options.nufft.threads, [&](std::int64_t coil) {
    progress.checkpoint();
    const auto c = std::size_t(coil);
    const cfloat* const y = prepared().data(frame_, slice_, int(coil));
    for (std::size_t s = 0; s < shots; ++s) {
      cdouble sum = 0;
      for (auto j = std::size_t(t.shotOffsets[s]); j < std::size_t(t.shotOffsets[s + 1]); ++j) {
        const cdouble term = weights_.values[j] * cdouble(y[j]) * back_[j];
        sum += term;
        squaresOf[c] += std::norm(term);
      }
      parts[s * coils + c] = scale * sum;
    }
  });
  // With maps the coils are summed, and the pixel is one number.
  const bool summed = !maps_.empty();
  const std::size_t numbers = summed ? 1 : coils;
  const auto combined = [&](const cdouble* of) {
    std::vector<cdouble> values(of, of + coils);
    if (!summed) return values;
    cdouble sum = 0;
    for (std::size_t c = 0; c < coils; ++c) sum += std::conj(maps_[c]) * of[c];
    return std::vector<cdouble>{sum / mapSquare_};
  };
  std::vector<cdouble> coilSums(coils);
  for (std::size_t s = 0; s < shots; ++s)
    for (std::size_t c = 0; c < coils; ++c) coilSums[c] += parts[s * coils + c];
  const std::vector<cdouble> value = combined(coilSums.data());
  const auto sizeOf = [](const std::vector<cdouble>& values) {
    double square = 0;
    for (const cdouble& v : values) square += std::norm(v);
    return std::sqrt(square);
  };
  answer.value = sizeOf(value);
  for (std::size_t s = 0; s < shots; ++s) {
    ShotInfluence shot;
    shot.shot = t.shotNumbers.empty() ? int(s) : t.shotNumbers[s];
    shot.weight = weightSum > 0 ? weightOf[s] / weightSum : 0;
    const std::vector<cdouble> part = combined(parts.data() + s * coils);
    std::vector<cdouble> rest = value;
    for (std::size_t i = 0; i < numbers; ++i) rest[i] -= part[i];
    if (answer.value > 0) {
      shot.change = sizeOf(part) / answer.value;
      shot.magnitude = sizeOf(rest) / answer.value - 1;
    }
    answer.shots.push_back(shot);
  }
  std::stable_sort(answer.shots.begin(), answer.shots.end(),
                   [](const ShotInfluence& a, const ShotInfluence& b) { return a.change > b.change; });
  // The direction in which the shown value grows, over the coils.
  std::vector<cdouble> direction(coils);
  for (std::size_t c = 0; c < coils; ++c)
    direction[c] = summed ? maps_[c] / mapSquare_ : answer.value > 0 ? coilSums[c] / answer.value : 0;
  for (std::size_t c = 0; c < coils; ++c)
    valueSquares_ += scale * scale * squaresOf[c] * (summed ? std::norm(direction[c]) : 1);
  if (prepared().noise.empty()) return;
  const std::vector<cdouble> covariance = noiseCovariance(prepared().noise, int(coils));
  double square = 0;
  for (std::size_t a = 0; a < coils; ++a)
    for (std::size_t b = 0; b < coils; ++b)
      square += (std::conj(direction[a]) * covariance[a * coils + b] * direction[b]).real();
  answer.noise = scale * std::sqrt(weightSquares * std::max(0.0, square) / 2);
}

void AskedPixel::gridSpread() {
  constexpr double planAccuracy = 1e-5;  // -100 dB
  NufftProblem problem;
  problem.dims = scan_.dims();
  for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) problem.size[d] = matrix()[d];
  NufftOptions plan;
  plan.accuracy = planAccuracy;
  plan.threads = job_.options.nufft.threads;
  plan.reproducible = job_.options.nufft.reproducible;
  plan.memoryLimit = job_.options.nufft.memoryLimit;
  const auto nufft = backend_.plan<float>(problem, plan);
  const Trajectory& t = trajectory();
  std::vector<double> points(t.points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = t.points[i] / double(matrix()[i % std::size_t(t.dims)]);
  nufft->setPoints(points);
  Buffer<cfloat> samples(measured_.size());
  for (std::size_t j = 0; j < samples.size(); ++j)
    samples[j] = cfloat(gridScale() * weights_.values[j] * measured_[j]);
  nufft->adjoint(samples.data(), answer.spread.data.data());
}

void AskedPixel::solveSpread(const Progress& progress) {
  const std::size_t count = measured_.size();
  requireMemory(double(count * maps_.size()) * sizeof(cfloat), cannotAsk, "the samples of a lone point",
                "Use fewer coils (virtual-coils)");
  std::vector<Buffer<cfloat>> samples;
  SenseProblem& problem = problem_;  // it is not asked again
  problem.coils.clear();
  for (const cdouble& map : maps_) {
    Buffer<cfloat>& coil = samples.emplace_back(count);
    for (std::size_t j = 0; j < count; ++j) coil[j] = cfloat(map * measured_[j]);
  }
  for (const Buffer<cfloat>& coil : samples) problem.coils.push_back(coil.data());
  const SenseSolution solution = problem.slabs > 1
                                     ? senseRunOnHost(backend_, problem)->run(solver_, {}, true, progress)
                                     : backend_.solveSense(problem, solver_, {}, progress);
  if (solution.cancelled) throw Cancelled{};
  std::copy(solution.image.begin(), solution.image.end(), answer.spread.data.begin());
}

void AskedPixel::measureSpread() {
  const MainLobe lobe = mainLobeOf(answer.spread, scan_.dims());
  answer.stays = std::abs(answer.spread.data[place()]);
  answer.largest = lobe.height;
  answer.fwhm = lobe.fwhm;
  answer.sideLobe = lobe.sideLobe;
  answer.sideLobeAt = lobe.sideLobeAt;
  for (std::size_t d = 0; d < std::size_t(scan_.dims()); ++d)
    answer.largestAt[d] = double(lobe.peak[d] - pixel_[d]);
}

void AskedPixel::predictError() {
  const PlanError plan = planErrorAt(job_, pixel_);
  answer.alpha = plan.alpha;
  answer.width = plan.width;
  answer.transformError = plan.relative * std::sqrt(valueSquares_);
  if (iterates_)
    answer.notes.push_back(
        "influence, error and noise are of the weighted adjoint that the iterations begin with");
}

}  // namespace

PixelAnswer askPixel(Backend& backend, const Scan& scan, const ReconOptions& options, const Index3& pixel,
                     const Progress& progress) {
  constexpr double preparedShare = 0.5, influenceShare = 0.6;
  progress.report(0, "Asking the pixel");
  AskedPixel asked(backend, scan, options, pixel, progress.part(0, preparedShare));
  asked.findInfluences(progress.part(preparedShare, influenceShare));
  asked.findSpread(progress.part(influenceShare, 1));
  if (!options.exact) asked.predictError();
  return std::move(asked.answer);
}

}  // namespace spokelab
