// Times every way through a field over the oversampling ratio: the data of the charts where
// iterations correct for it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/sense/paths/path_search.h"

namespace spokelab {

// Each backend: time segments at every alpha (their NUFFT's smallest width), padded convolutions at
// every alpha_T from 2 on, shifted convolutions and exact sums once. A transform that the problem
// names is the only one; where it names none, gridding and Toeplitz without the field and GdftR2
// (the problem's `gradient`) are timed, too, with their errors relative to Gdft. Candidates are in
// the order in which they were timed; one that cannot serve says so in `refused`. best: the fastest
// that keeps the accuracy. select: as SweepPolicy::select.
TuneResult sweepPaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                      const std::vector<double>& alphas, const Progress& progress,
                      const std::function<void(const Candidate&)>& seen = {},
                      const std::function<void(std::vector<RoundEntry>&)>& select = {});

// Times a candidate of such a sweep again; its predicted errors stay.
void timePathAgain(TransformBackend& backend, const PathSearchRequest& request, Candidate& candidate,
                   const Progress& progress);

// The sweep for a reconstruction of the scan: over every way through its field, or over its NUFFT
// by the policy. request: made from scan and options (tuneRequest). Throws Error; Cancelled.
TuneResult sweepOfScan(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                       const TuneRequest& request, const SweepPolicy& policy, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen = {});

// The expected time of sweepOfScan(); nothing for ways through a field (unknown segments).
std::optional<SweepEstimate> estimateSweepOfScan(const std::vector<Backend*>& backends, const Scan& scan,
                                                 const ReconOptions& options, const TuneRequest& request,
                                                 const SweepPolicy& policy, const Progress& progress);

}  // namespace spokelab
