#include "engine/recon/explore/forward_image.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab {
namespace {

const char* const summary = "Cannot transform the image";
constexpr double tuningShare = 0.4;  // of the progress bar

// The scan that is to be measured: all but its samples, for which it makes room.
std::shared_ptr<Scan> makeScan(const Image& image, const Scan& pattern, const Image* maps, bool inDouble) {
  const int dims = pattern.dims();
  if (maps && (maps->size != image.size || maps->frames < 1))
    throw Error(summary,
                "the coil maps are " + sizeText(maps->size, 3, " x ") + ", the image is " +
                    sizeText(image.size, 3, " x "),
                "Give maps of the image's size, a frame each");
  if (pattern.trajectories.size() != 1 && pattern.trajectories.size() != std::size_t(image.frames))
    throw Error(summary,
                "the image has " + countText(image.frames, "frame") + ", the scan " +
                    countText(std::int64_t(pattern.trajectories.size()), "trajectory", "trajectories"),
                "Read the same number of the scan's frames as the image has");
  auto scan = std::make_shared<Scan>();
  scan->name = image.name;
  scan->geometry = image.geometry;
  if (image.geometry.nominal && pattern.geometry.matrix[0] == image.size[0] &&
      pattern.geometry.matrix[1] == image.size[1])
    scan->geometry = pattern.geometry;
  scan->geometry.matrix = image.size;
  scan->coils = maps ? maps->frames : 1;
  scan->frames = image.frames;
  std::size_t positions = 1;
  if (dims < 3) {
    scan->slices = int(image.size[2]);
    scan->geometry.matrix[2] = 1;
    positions = std::size_t(scan->slices);
  }
  std::vector<Vec3>& places = scan->geometry.slicePositions;
  places.resize(positions, places.empty() ? Vec3{} : places.front());
  scan->trajectories = pattern.trajectories;
  for (Trajectory& t : scan->trajectories) t.weights.clear();  // areas of the samples, not part of them
  double values = 0;
  for (int f = 0; f < scan->frames; ++f)
    values += double(scan->slices) * scan->coils * double(scan->trajectory(f).samples());
  requireMemory(values * Scan::bytesPerSample(inDouble), summary, "the samples", "Choose fewer frames");
  for (int f = 0; f < scan->frames; ++f)
    scan->makeRoom(f, std::int64_t(scan->slices) * scan->coils * scan->trajectory(f).samples(), inDouble);
  return scan;
}

// The forward transform of coil images [batch, pixel] on one set of points: by a plan, or exactly.
template <class RealType>
class PlannedForward {
 public:
  using Real = RealType;
  using Complex = std::complex<Real>;
  explicit PlannedForward(std::unique_ptr<Nufft<Real>> plan) : plan_(std::move(plan)) {}
  std::int64_t batch() const { return plan_->problem().batch; }
  const PlanInfo& info() const { return plan_->info(); }
  void setPoints(const std::vector<double>& points) { plan_->setPoints(points); }
  void apply(const Buffer<Complex>& images, Buffer<Complex>& samples, const Progress&) {
    plan_->forward(images.data(), samples.data());
  }

 private:
  std::unique_ptr<Nufft<Real>> plan_;
};

class ExactForward {
 public:
  using Real = double;
  ExactForward(NufftProblem problem, int threads) : problem_(problem), threads_(threads) {
    problem_.batch = 1;
  }
  std::int64_t batch() const { return 1; }
  PlanInfo info() const {
    PlanInfo info;
    info.backend = "cpu";
    info.description = "exact sums in double precision";
    return info;
  }
  void setPoints(const std::vector<double>& points) { points_ = points; }
  void apply(const Buffer<cdouble>& images, Buffer<cdouble>& samples, const Progress& progress) {
    const auto values = nudftForward(problem_, points_, images, {}, threads_, progress);
    std::copy(values.begin(), values.end(), samples.begin());
  }

 private:
  NufftProblem problem_;
  int threads_;
  std::vector<double> points_;
};

template <class Forward>
void measure(Forward& forward, const Image& image, const Image* maps, Scan& scan, const Progress& progress) {
  using Complex = std::complex<typename Forward::Real>;
  const Index3& matrix = scan.geometry.matrix;
  const auto pixels = std::size_t(product(matrix)), batch = std::size_t(forward.batch());
  const auto dims = std::size_t(scan.dims());
  const double steps = double(scan.frames) * scan.slices * scan.coils;
  double step = 0;
  Buffer<Complex> images(batch * pixels), samples;
  for (int f = 0; f < scan.frames; ++f) {
    const Trajectory& t = scan.trajectory(f);
    const auto count = std::size_t(t.samples());
    if (f == 0 || scan.trajectories.size() > 1) {
      std::vector<double> points = t.points;
      for (std::size_t i = 0; i < points.size(); ++i) points[i] /= double(matrix[i % dims]);
      forward.setPoints(points);
      samples.resize(batch * count);
    }
    for (int slice = 0; slice < scan.slices; ++slice)
      for (int first = 0; first < scan.coils; first += int(batch)) {
        progress.report(step / steps, "Measuring the image");
        const int used = std::min(int(batch), scan.coils - first);
        std::fill(images.begin(), images.end(), Complex(0));
        const std::size_t place = std::size_t(slice) * pixels;
        for (int c = 0; c < used; ++c)
          for (std::size_t i = 0; i < pixels; ++i) {
            cdouble value = image.value(std::size_t(f * image.volume()) + place + i);
            if (maps) value *= maps->value(std::size_t((first + c) * image.volume()) + place + i);
            images[std::size_t(c) * pixels + i] = Complex(value);
          }
        forward.apply(images, samples, progress);
        for (int c = 0; c < used; ++c)
          scan.change(f, slice, first + c, [&]<class Kept>(Kept* out) {
            const Complex* from = samples.data() + std::size_t(c) * count;
            std::transform(from, from + count, out, [](const Complex& v) { return Kept(v); });
          });
        step += used;
      }
  }
}

// The candidate that the tuner finds for the forward transform, or the plan that was asked for.
struct Choice {
  Backend* backend = nullptr;
  NufftOptions options;
};

Choice choosePlan(const std::vector<Backend*>& chosenBackends, const ScanProblem& problem,
                  const ReconOptions& options, Wisdom* wisdom, ForwardResult& result,
                  const Progress& progress) {
  if (options.nufft.alpha > 0 && options.nufft.width > 0 && chosenBackends.size() == 1)
    return {chosenBackends.front(), options.nufft};
  TuneRequest request = tuneRequest(problem, options);
  if (!options.tuning.direction) request.workload.direction = Direction::forward;
  const std::vector<NufftBackend*> candidates(chosenBackends.begin(), chosenBackends.end());
  result.tuning = std::make_shared<const TuneResult>(tune(candidates, request, wisdom, progress));
  if (result.tuning->cancelled) throw Cancelled{};
  const Candidate& best = result.tuning->candidates[std::size_t(result.tuning->best)];
  return {backendNamed(chosenBackends, best.backend), best.options};
}

}  // namespace

ForwardResult forwardImage(const std::vector<Backend*>& backends, const Image& image, const Scan& pattern,
                           const Image* maps, const ReconOptions& asked, Wisdom* wisdom,
                           const Progress& progress) {
  const double start = now();
  ReconOptions options = withoutPreparation(asked);
  options.frames.clear();
  options.slices.clear();
  ForwardResult result;
  const std::vector<Backend*> chosenBackends = backendsFor(backends, options.backend, options.devices);
  const auto scan = makeScan(image, pattern, maps, options.inDouble());
  const ScanProblem problem = scanProblem(*scan, options);
  const auto run = [&](auto&& forward, const Progress& part) {
    measure(forward, image, maps, *scan, part);
    result.plan = forward.info();
  };
  if (options.exact) {
    run(ExactForward(problem.problem, options.nufft.threads), progress);
  } else {
    const Choice choice =
        choosePlan(chosenBackends, problem, options, wisdom, result, progress.part(0, tuningShare));
    const Progress rest = progress.part(tuningShare, 1);
    const NufftOptions plain = withoutNormal(choice.options, problem.slabs);
    if (options.precision == Precision::single)
      run(PlannedForward<float>(planInSlabs<float>(*choice.backend, problem.whole, plain, problem.slabs)),
          rest);
    else
      run(PlannedForward<double>(planInSlabs<double>(*choice.backend, problem.whole, plain, problem.slabs)),
          rest);
  }
  validate(*scan);
  scan->decisions.push_back({"samples", "forward transform", result.plan.description, {}});
  result.scan = scan;
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
