#include "engine/recon/iterate_scan.h"

#include <algorithm>

#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/prepare/slice_selection.h"
#include "engine/recon/scan_sense.h"

namespace spokelab {
namespace {

void addNotes(Reconstruction& result, const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
      result.notes.push_back(note);
}

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

// All frames and slices of a scan whose coils are prepared, into `image`; `frames` counts those
// begun.
void iteratePrepared(Backend& backend, const Scan& scan, std::span<const cdouble> mixing, int exponent,
                     const ReconOptions& options, const std::vector<int>& frames,
                     const std::vector<int>& slices, Image& image, int& begun, Reconstruction& result,
                     const Progress& progress) {
  constexpr double mapsShare = 0.3;
  const std::int64_t pixels = scan.dims() < 3 ? image.size[0] * image.size[1] : image.volume();
  const double steps = double(frames.size() * slices.size());
  DensityWeights density;
  IterationOptions solver = options.iterative.solver;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (scan.trajectories.size() > 1) density = {};
    for (std::size_t s = 0; s < slices.size(); ++s) {
      const double step = double(f * slices.size() + s);
      const Progress part = progress.part(step / steps, (step + 1) / steps);
      std::vector<std::string> notes;
      const SenseProblem problem = senseProblem(backend, scan, mixing, options, frames[f], slices[s], density,
                                                notes, part.part(0, mapsShare), &result.account);
      SenseSolution solution =
          backend.solveSense(problem, solver, watcherOf(options.iterative, frames[f], slices[s], exponent),
                             part.part(mapsShare, 1));
      result.account[JobStage::plan] += solution.planningSeconds;
      result.account[JobStage::transforms] += solution.rightSideSeconds + solution.timings.accounted();
      result.account[JobStage::iterations] += solution.timings.unaccounted();
      const std::int64_t place = std::int64_t(f) * image.volume() + std::int64_t(s) * pixels;
      std::copy(solution.image.begin(), solution.image.end(), image.data.begin() + place);
      std::copy(solution.doubleImage.begin(), solution.doubleImage.end(), image.doubleData.begin() + place);
      result.density =
          options.iterative.dataWeights == DataWeights::density ? density.origin : "data not weighted";
      begun = int(f) + 1;
      addNotes(result, notes);
      addNotes(result, solution.notes);
      result.plan = std::move(solution.plan);
      result.timings += solution.timings;
      result.pausedSeconds += solution.pausedSeconds;
      result.iterations.push_back({frames[f], slices[s], solution.transform, std::move(solution.residuals),
                                   std::move(solution.seconds), solution.planningSeconds, solution.converged,
                                   solution.ending, std::move(solution.lambdaChanges)});
      const IterationRecord& record = result.iterations.back();
      const std::vector<std::string> changes = lambdaNotes(record);
      addNotes(result, changes);
      image.provenance.insert(image.provenance.end(), changes.begin(), changes.end());
      // A person's last choice holds for what is still to come.
      if (!changes.empty()) solver.lambda = record.lambdaChanges.back().after;
      result.options.iterative.solver.lambda = solver.lambda;
      if (solution.cancelled) throw Cancelled{};
    }
  }
}

}  // namespace

Reconstruction iterateScan(Backend& backend, const Scan& scan, const ReconOptions& asked,
                           const Candidate* plan, const Progress& progress) {
  const double start = now();
  constexpr double preparationShare = 0.05;
  Reconstruction result;
  result.options = asked;
  ReconOptions options = withoutPreparation(asked);
  if (plan) {
    options.nufft = plan->options;
    if (plan->path.transform != TransformKind::automatic) {
      options.iterative.transform = plan->path.transform;
      options.iterative.interpolator = plan->path.interpolator;
    }
  }
  const std::vector<int> frames = selection(options.frames, scan.frames, "frames");
  const std::vector<int> slices = slicesAskedFor(scan, options);
  const double started = now();
  const auto image = makeImage(scan, int(frames.size()), slices, options.inDouble());
  bookStage(&result.account, JobStage::combine, started);
  result.plan.backend = backend.name();
  result.plan.options = options.nufft;
  if (plan) result.plan.grid = plan->grid;
  int begun = 0, exponent = 0;
  try {
    const double preparing = now();
    const ScanPreparation coils = prepareScan(scan, asked, progress.part(0, preparationShare));
    bookStage(&result.account, JobStage::whiten, preparing);
    result.account[JobStage::whiten] -= coils.compressSeconds;
    result.account[JobStage::compress] = coils.compressSeconds;
    result.notes = coils.notes;
    exponent = coils.exponent;
    if (coils.scan) image->provenance = provenanceOf(*coils.scan);
    iteratePrepared(backend, coils.scan ? *coils.scan : scan, coils.mixing, exponent, options, frames, slices,
                    *image, begun, result, progress.part(preparationShare, 1));
    progress.report(1, "Reconstructed");
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  if (result.cancelled && begun > 0) {
    const IterationRecord& last = result.iterations.back();
    addNotes(result,
             {"cancelled in frame " + std::to_string(last.frame) + ", slice " + std::to_string(last.slice) +
              "; its image is that of iteration " + std::to_string(last.residuals.size())});
    image->keepFrames(begun);
  }
  if (!result.cancelled || begun > 0) {
    const JobTimer timer(&result.account, JobStage::combine);
    finishImage(*image, exponent);
    result.image = image;
  }
  result.seconds = result.account.total = now() - start - result.pausedSeconds;
  return result;
}

}  // namespace spokelab
