#include "engine/recon/iterate_scan.h"

#include <algorithm>

#include "engine/core/measure/trace_part.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_slabs.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/scan_sense.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {
namespace {

// The user's watcher, told which frame and slice iterates. It sees, and may give back, images of
// the samples as they were, not times 2^exponent.
IterationWatcher watcherOf(const IterativeOptions& options, int frame, int slice, int exponent) {
  if (!options.watcher) return {};
  return [&options, frame, slice, exponent](IterationState state) {
    state.frame = frame;
    state.slice = slice;
    if (exponent == 0) return options.watcher(state);
    state.image = [scaled = state.image, exponent] {
      std::vector<cfloat> image = scaled();
      scaleBy(image, -exponent);
      return image;
    };
    IterationCommand command = options.watcher(state);
    if (command.image) {
      const auto image = std::make_shared<std::vector<cfloat>>(*command.image);
      scaleBy(*image, exponent);
      command.image = image;
    }
    return command;
  };
}

// Whether the slices of a frame differ in their samples and coil maps alone.
bool hasOnePlanForSlices(const SenseProblem& problem) {
  return problem.field.empty() && problem.decay.empty() && problem.phases.empty();
}

// Whether the maps of all slices may stay for the next frame.
bool keepsMaps(const SenseProblem& problem, std::size_t slices) {
  constexpr double maxBackendBytes = 4.0 * (1 << 30);
  if (problem.backendMaps && slices > 1)
    return double(slices) * double(problem.backendMaps->count()) * sizeof(cfloat) < maxBackendBytes;
  return slices == 1 || fitsIntoMemory(double(slices * problem.maps.size()) * sizeof(cfloat));
}

// Whether a plan for the samples of one serves the other.
bool sampledAlike(const Trajectory& a, const Trajectory& b) {
  return a.shotOffsets == b.shotOffsets && a.points == b.points && a.times == b.times &&
         a.weights == b.weights;
}

// Of images that did not go to their place by themselves. place: its first pixel in the image.
void keepSlice(const SenseSolution& solution, JobImage& image, std::int64_t place, JobAccount& account) {
  constexpr std::int64_t pixelsPerTask = 1 << 16;
  const JobTimer timer(&account, JobStage::combine);
  parallelFor(std::int64_t(solution.image.size()), 0, pixelsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                std::copy(solution.image.begin() + begin, solution.image.begin() + end,
                          image.pixels<float>() + place + begin);
              });
  if (!solution.doubleImage.empty())
    std::copy(solution.doubleImage.begin(), solution.doubleImage.end(), image.pixels<double>() + place);
}

// All frames and slices of a scan whose coils are prepared, into `job`; `begun` counts the
// frames that were.
void iteratePrepared(Backend& backend, const Scan& scan, const ScanPreparation& coils,
                     const ReconOptions& options, const std::vector<int>& frames,
                     const std::vector<int>& slices, const IterationShare& share,
                     const std::shared_ptr<CoilMixer>& mixer, JobImage& job, int& begun,
                     Reconstruction& result, const Progress& progress) {
  Image& image = *job.image();
  constexpr double mapsShare = 0.3;
  const std::int64_t pixels = scan.dims() < 3 ? image.size[0] * image.size[1] : image.volume();
  const double steps = double(frames.size() * slices.size());
  const std::vector<int> averaged = share.mapFrames.empty() ? mapFrames(frames) : share.mapFrames;
  FrameDensities densities(scan, options, backend, &result.account);
  IterationOptions solver = options.iterative.solver;
  std::vector<CoilMapSource> maps(slices.size(), {averaged, {}, {}, share.coils ? &*share.coils : nullptr});
  SenseProblem problem;
  std::unique_ptr<SenseRun> run;
  std::size_t planned = 0;  // the slice whose maps and field `run` has
  CoilMixer* const pointSender = options.inDouble() ? nullptr : mixer.get();
  CoilMixer* const sender = coils.mixer ? nullptr : pointSender;
  const std::span<const int> ownCoils = share.coils ? std::span(share.coils->own()) : std::span<const int>();
  // Not before: the host, looking at all points and samples, and copies on their way would wait for its memory together.
  maps.front().samplesSeen = [&] {
    if (pointSender) pointSender->sendPoints(scan.trajectory(frames.front()).points);
    sendAhead(sender, scan, frames.front(), slices, ownCoils);
  };
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const double frameBegan = now();
    for (std::size_t s = 0; s < slices.size(); ++s) {
      const double step = double(f * slices.size() + s);
      const Progress part = progress.part(step / steps, (step + 1) / steps);
      std::vector<std::string> notes;
      problem = senseProblem(backend, scan, coils.mixing, options, frames[f], slices[s], densities, maps[s],
                             notes, part.part(0, mapsShare), &result.account);
      const std::int64_t place = std::int64_t(f) * image.volume() + std::int64_t(s) * pixels;
      problem.mixer = coils.mixer ? coils.mixer : mixer;
      if (s == 0 && f + 1 < frames.size()) sendAhead(sender, scan, frames[f + 1], slices, ownCoils);
      if (!options.inDouble() && job.pixels<float>()) problem.hostImage = job.pixels<float>() + place;
      const bool newPoints =
          run && s == 0 && f > 0 && !sampledAlike(scan.trajectory(frames[f - 1]), scan.trajectory(frames[f]));
      if (!run || !(planned == s || hasOnePlanForSlices(problem)) || (newPoints && !run->takePoints())) {
        if (pointSender)
          problem.placedPoints = pointSender->copyOfPoints(scan.trajectory(frames[f]).points.data());
        run = share.senseRun      ? share.senseRun(problem)
              : problem.slabs > 1 ? senseRunOnHost(backend, problem)
                                  : backend.senseRun(problem);
      }
      SenseSolution solution =
          run->run(solver, watcherOf(options.iterative, frames[f], slices[s], coils.exponent), planned != s,
                   part.part(mapsShare, 1));
      planned = s;
      if (problem.placedPoints) pointSender->forgetPoints();
      problem.placedPoints = nullptr;
      bookSeconds(&result.account, JobStage::plan, solution.planningSeconds);
      bookSeconds(&result.account, JobStage::transforms,
                  solution.rightSideSeconds + solution.transformSeconds);
      bookSeconds(&result.account, JobStage::iterations,
                  std::max(0.0, solution.iterationSeconds - solution.transformSeconds));
      keepSlice(solution, job, place, result.account);
      result.density = options.iterative.dataWeights == DataWeights::density
                           ? densities.of(frames[f], part).origin
                           : "data not weighted";
      begun = int(f) + 1;
      addNotes(result, notes);
      addNotes(result, solution.notes);
      result.plan = std::move(solution.plan);
      result.timings += solution.timings;
      result.pausedSeconds += solution.pausedSeconds;
      result.iterations.push_back({frames[f], slices[s], solution.transform, std::move(solution.residuals),
                                   std::move(solution.seconds), solution.planningSeconds, solution.converged,
                                   solution.ending, std::move(solution.lambdaChanges),
                                   std::move(solution.parts)});
      const IterationRecord& record = result.iterations.back();
      const std::vector<std::string> changes = lambdaNotes(record);
      addNotes(result, changes);
      image.provenance.insert(image.provenance.end(), changes.begin(), changes.end());
      // A person's last choice holds for what is still to come.
      if (!changes.empty()) solver.lambda = record.lambdaChanges.back().after;
      result.options.iterative.solver.lambda = solver.lambda;
      if (solution.cancelled) throw Cancelled{};
      const JobTimer freeing(&result.account, JobStage::plan);
      const TracePart traced("memory freed");
      const bool last = step + 1 == steps, kept = keepsMaps(problem, slices.size());
      if (f + 1 < frames.size() && kept) {
        maps[s].known = std::move(problem.maps);
        maps[s].knownToBackend = problem.backendMaps;
      }
      // Maps that the next frame estimates anew need the memory.
      if (last || (scan.trajectories.size() > 1 && s + 1 == slices.size() && !kept)) run.reset();
      if (last) problem = {};
    }
    forgetSent(sender, scan, frames[f], slices, ownCoils);
    if (f > 0) result.frameSeconds.push_back(now() - frameBegan);
  }
}

}  // namespace

Reconstruction iterateScan(Backend& backend, const Scan& scan, const ReconOptions& asked,
                           const Candidate* plan, const Progress& progress, const IterationShare& share) {
  const double start = now();
  constexpr double preparationShare = 0.05;
  Reconstruction result;
  result.options = asked;
  requireRepeatable(asked.nufft, asked.iterative.solver);
  ReconOptions options = withoutPreparation(asked);
  if (plan) {
    options.nufft = plan->options;
    if (plan->path.transform != TransformKind::automatic) {
      options.iterative.transform = plan->path.transform;
      options.iterative.interpolator = plan->path.interpolator;
    }
  }
  const std::vector<int> frames =
      share.frames.empty() ? selection(options.frames, scan.frames, "frames") : share.frames;
  const std::vector<int> slices = slicesAskedFor(scan, options);
  const double started = now();
  JobImage job = share.keepsImage
                     ? JobImage(scan, int(frames.size()), slices, options.inDouble(), share.place)
                     : JobImage::without(scan, int(frames.size()), slices);
  const std::shared_ptr<Image>& image = job.image();
  image->geometry = geometryOf(scan, frames, slices);
  bookStage(&result.account, JobStage::combine, started);
  result.plan.backend = backend.name();
  result.plan.options = options.nufft;
  if (plan) result.plan.grid = plan->grid;
  int begun = 0, exponent = 0;
  try {
    const double preparing = now();
    // Slabs take their samples from the host's memory.
    const std::shared_ptr<CoilMixer> mixer = jobSlabs(scan, options) > 1 ? nullptr : backend.coilMixer();
    const ScanPreparation coils = prepareScan(scan, asked, progress.part(0, preparationShare), mixer,
                                              share.coils ? share.coils->ranks : nullptr);
    bookStage(&result.account, JobStage::whiten, preparing);
    result.account[JobStage::whiten] -= coils.compressSeconds;
    result.account[JobStage::compress] = coils.compressSeconds;
    result.notes = coils.notes;
    exponent = coils.exponent;
    if (coils.scan) image->provenance = provenanceOf(*coils.scan);
    iteratePrepared(backend, coils.scan ? *coils.scan : scan, coils, options, frames, slices, share, mixer,
                    job, begun, result, progress.part(preparationShare, 1));
    progress.report(1, "Reconstructed");
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  if (result.cancelled && begun > 0) {
    const IterationRecord& last = result.iterations.back();
    addNotes(result,
             {"cancelled in frame " + std::to_string(last.frame) + ", slice " + std::to_string(last.slice) +
              "; its image is that of iteration " + std::to_string(last.residuals.size())});
    job.keepFrames(begun);
  }
  if (!result.cancelled || begun > 0) {
    const JobTimer timer(&result.account, JobStage::combine);
    job.finish(exponent);
    result.image = image;
  }
  result.seconds = result.account.total = now() - start - result.pausedSeconds;
  return result;
}

}  // namespace spokelab
