// The tuner where a field acts: finds the fastest way from image to samples and back that meets the
// accuracy, for the normal operator of iterations.
//   segmented          NUFFTs of time segments; their plan is tuned for the segments
//   segmentedToeplitz  convolutions of time segments, padded or shifted
//   gdft               exact sums, which the errors of the others are measured against
//   nufft, toeplitz    where the field is too weak to matter: `tune` chooses among them
// Plug-ins serve as the NUFFT of time segments. They do not serve convolutions or exact sums.
// Candidates, their order and the decision follow tune.h: the whole cost in the request's workload.
#pragma once

#include <functional>
#include <span>

#include "engine/nufft/tune/search/tune_estimate.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/sense/sense_problem.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

class Wisdom;

struct PathSearchRequest {
  // Coils and maps are not looked at. transform automatic: all that keep the accuracy; else the
  // one.
  SenseProblem problem;
  // The same without the field, for the points of the problem's first group of shots; direction
  // normal.
  TuneRequest nufft;
};

// True if `tune` does not choose the problem's transform.
bool needsPathSearch(const SenseProblem& problem);

// As tune(). Each candidate's `path` names its way; errors belong to the normal operator.
// Throws Error where no path can serve, with the reasons.
TuneResult searchPaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                       Wisdom* wisdom, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen = {});

// The expected time of searchPaths(): the ways, and the plans of their segments' NUFFTs. Nothing is
// timed.
TuneEstimate estimatePaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                           Wisdom* wisdom, const Progress& progress);

}  // namespace spokelab
