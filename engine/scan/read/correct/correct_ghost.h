// Decision ghost: takes the N/2 ghost of EPI away, whose lines run back and forth, in planes or
// volumes. Lines whose kx falls move by -shift / 2 along kx and are multiplied by e^{-i phase / 2},
// the others by the opposite (ghost_fit.h). One shift holds for the scan, one phase for a slice, or
// for a coil in a slice (decision ghost-phases).
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

inline constexpr const char *ghostTopic = "ghost", *ghostPhasesTopic = "ghost-phases";

// A line for phase correction, measured without phase encoding: in the order of the acquisitions.
struct NavigatorLine {
  int slice = 0;
  bool backwards = false;       // by its flag
  std::vector<cfloat> samples;  // [coil, sample]
};

// The lines for phase correction, and the direction of the image's lines that have the same flag.
struct EpiNavigators {
  std::vector<NavigatorLine> lines;
  bool flaggedRunsDown = true;  // kx of flagged lines falls with time
  bool empty() const { return lines.empty(); }
};

// navigators, data (the sharpest image), none, or shift and phase in cycles/FOV and rad as in
// 0.4,-0.8. By itself none, and a question where odd and even lines differ clearly. Scans whose
// lines do not run back and forth have no decision, and asking for it is an Error. Throws Error,
// Cancelled.
void correctGhost(Scan& scan, const EpiNavigators& navigators, Decisions& d, const Progress& progress);

}  // namespace spokelab
