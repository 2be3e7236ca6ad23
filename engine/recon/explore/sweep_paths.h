// Times every way through a field over the oversampling ratio: the data of the charts where iterations correct for it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/recon/sense/path_search.h"

namespace spokelab {

// Each backend: time segments at every alpha (their NUFFT's smallest width), padded convolutions at every alpha_T from 2
// on, shifted convolutions and exact sums once. A transform that the problem names is the only one. Candidates come in
// the order in which they were timed; what cannot serve says so in `refused`. best: the fastest that keeps the accuracy.
TuneResult sweepPaths(std::span<TransformBackend* const> backends, const PathSearchRequest& request,
                      const std::vector<double>& alphas, const Progress& progress,
                      const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
