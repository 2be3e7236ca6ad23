// Decision ghost: takes the N/2 ghost of EPI away, whose lines run back and forth, in planes or
// volumes. k of both kinds of lines moves apart by the shift, which all share, and samples are
// turned back by the phase (ghost_fit.h): of their slice, or of their coil in it (ghost-phases).
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

// A flag's meaning for lines of the image: their shots run backwards where flagged.
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
