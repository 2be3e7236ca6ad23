// Enumerates the plans that may serve a request: backend x methods x alpha, each with the smallest
// W that meets the accuracy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Throws Error where no candidate meets the accuracy. Predicted errors and seconds are filled in.
std::vector<Candidate> enumerateCandidates(std::span<NufftBackend* const> backends,
                                           const TuneRequest& request);

// The candidate of one pair (alpha, width), with grid, predicted error and predicted seconds.
// `refused` is set where the kernel is not defined.
Candidate makeCandidate(NufftBackend& backend, const TuneRequest& request, double alpha, double width,
                        Method spread, Method interpolate);

// True if a linear table of the candidate's kernel is worth timing. A table that meets the accuracy
// may fill 100 MB and take 10 s to make, and beyond the caches it is slower than polynomials.
bool linearTableMayWin(const TuneRequest& request, const Candidate& candidate);

// Null if no backend has the name.
NufftBackend* backendNamed(std::span<NufftBackend* const> backends, const std::string& name);

// "α 1.43, W 5.2, cpu blocked"; "9 segments (svd), α 1.43, W 5.2, cpu blocked"; "exact sums, cpu"
std::string describe(const Candidate& candidate);
// "9 segments (svd)"; "without the field"; empty for a request without one.
std::string pathText(const Path& path);

}  // namespace spokelab
