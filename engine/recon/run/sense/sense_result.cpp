#include "engine/recon/run/sense/sense_result.h"

#include <algorithm>
#include <utility>

#include "engine/recon/prepare/sample_scale.h"

namespace spokelab {

// The solver works on samples times 2^sampleScaleExponent (prepare/sample_scale.h). The returned
// watcher refers to `options`, which must outlive the solve.
IterationWatcher watcherOf(const IterativeOptions& options, int frame, int slice, int sampleScaleExponent) {
  if (!options.watcher) return {};
  return [&options, frame, slice, sampleScaleExponent](IterationState state) {
    state.frame = frame;
    state.slice = slice;
    if (sampleScaleExponent == 0) return options.watcher(state);
    state.image = [scaled = state.image, sampleScaleExponent] {
      std::vector<cfloat> image = scaled();
      scaleBy(image, -sampleScaleExponent);
      return image;
    };
    IterationCommand command = options.watcher(state);
    if (command.image) {
      const auto image = std::make_shared<std::vector<cfloat>>(*command.image);
      scaleBy(*image, sampleScaleExponent);
      command.image = image;
    }
    return command;
  };
}

namespace {

// The residual of the normal equations is small long before the image has converged where samples
// have no density weights: at 64 spokes of a brain the image was 9 % from the solution after 30
// iterations, with a residual of 2e-4.
std::string notConverged(const IterativeOptions& options, std::size_t iterations) {
  const std::string done = std::to_string(iterations), twice = std::to_string(2 * iterations);
  if (options.dataWeights == DataWeights::density) return {};
  return "not converged after " + done +
         " iterations without density weights: the image may be a tenth from the "
         "solution; compare with --iterations " +
         twice;
}

}  // namespace

// Moves the solution's records, but not its images, into context.result, and adds its notes and its
// changes of lambda, these to the image's provenance, too. If the user changed lambda during this
// solve, `solver` gets the last value, which the solves of later slices and frames then use.
void recordSolution(RunContext& context, SenseSolution& solution, int frame, int slice,
                    const std::vector<std::string>& notes, IterationOptions& solver) {
  Reconstruction& result = context.result;
  addNotes(result, notes);
  addNotes(result, solution.notes);
  result.plan = std::move(solution.plan);
  result.timings += solution.timings;
  result.pausedSeconds += solution.pausedSeconds;
  result.iterations.push_back({frame, slice, solution.transform, std::move(solution.residuals),
                               std::move(solution.seconds), solution.planningSeconds, solution.converged,
                               solution.ending, std::move(solution.lambdaChanges), std::move(solution.parts),
                               std::move(solution.objectives)});
  const IterationRecord& record = result.iterations.back();
  if (!record.converged && !solution.cancelled)
    if (const std::string note = notConverged(result.options.iterative, record.residuals.size());
        !note.empty())
      addNotes(result, {note});
  const std::vector<std::string> changes = lambdaNotes(record);
  addNotes(result, changes);
  std::vector<std::string>& provenance = context.image.image()->provenance;
  provenance.insert(provenance.end(), changes.begin(), changes.end());
  if (!changes.empty()) solver.lambda = record.lambdaChanges.back().after;
  result.options.iterative.solver.lambda = solver.lambda;
}

}  // namespace spokelab
