// Decision girf: the trajectory as a measured gradient impulse response makes it (girf.h), and the
// phase of the field that goes with it taken from the samples.
#pragma once

#include <string>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// none (also where nobody asks), or the file of the response. Needs the dwell time. The decision
// holds by how much points have moved. Where the trajectory is a sequence's, the response is on its
// gradients already (sequence_girf.h, noted as sequenceGirf), and only the field's phase is left to
// do. Throws Error, Cancelled.
void correctGirf(Scan& scan, Decisions& d, const Progress& progress);

inline constexpr const char* sequenceGirf = "sequence-girf";  // topic of a decision
// The file of the response that is asked for; empty: none.
std::string girfOf(const Decisions& d);

}  // namespace spokelab
