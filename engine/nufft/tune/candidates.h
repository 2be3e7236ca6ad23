// The plans that may serve a request: backend x methods x alpha, each with the smallest W that
// meets the accuracy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Throws Error where no candidate meets the accuracy. Predicted errors and seconds are filled in.
std::vector<Candidate> enumerateCandidates(std::span<NufftBackend* const> backends,
                                           const TuneRequest& request);

// The candidate of one (alpha, width) on one backend, with grid, predicted error and predicted
// seconds; `refused` where the kernel is not defined.
Candidate makeCandidate(NufftBackend& backend, const TuneRequest& request, double alpha, double width,
                        Method spread, Method interpolate);

// Whether a linear table of the candidate's kernel is worth timing: one that meets the accuracy may fill
// 100 MB and take 10 s to make, and what lies beyond the caches is slower than polynomials.
bool linearTableMayWin(const TuneRequest& request, const Candidate& candidate);

// Null where no backend has the name.
NufftBackend* backendNamed(std::span<NufftBackend* const> backends, const std::string& name);

// "α 1.43, W 5.2, cpu blocked"; "9 segments (svd), α 1.43, W 5.2, cpu blocked"; "exact sums, cpu"
std::string describe(const Candidate& candidate);
// "9 segments (svd)"; empty where there are none.
std::string pathText(const Path& path);

}  // namespace spokelab
