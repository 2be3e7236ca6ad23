// Other people's libraries in nfft-jl's figures: the plug-ins that take part. nfft-jl compares by
// the kernel's half width m, plug-ins are asked for an error.
#pragma once

#include <vector>

#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

struct Peer {
  NufftBackend* backend;
  double alpha;  // 0: its own choice
};

// The plug-ins that serve the case and survive a trial in a child process, at the study's
// oversampling ratio where they offer it. A plug-in that does not adds a refused row.
std::vector<Peer> peersOf(StudyRun& run, const ResamplingCase& c, const Progress& progress);

// An error for which FINUFFT's versions from 2.1 to 2.5 take kernels of 2m cells at α = 2.
double toleranceOf(int halfWidth);
// For a plan of that tolerance.
NufftOptions peerOptions(const Peer& peer, int halfWidth, int threads);
// rowFor() under the peer's name; its width is the one that the tolerance stands for.
StudyRow peerRow(const ResamplingCase& c, const Peer& peer, int halfWidth, bool adjoint);
StudyRow peerRow(const ResamplingCase& c, const Peer& peer, int halfWidth, bool adjoint, const RaceRun& run);
// largestRelativeError() of a plan of the peer; `width` becomes the kernel's, 0 if it tells none.
double peerError(const ResamplingCase& c, const Peer& peer, const NufftOptions& options, bool adjoint,
                 int outputs, double& width, const Progress& progress);

}  // namespace spokelab
