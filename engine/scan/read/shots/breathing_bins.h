// Frames of a continuous measurement under free breathing: bins of shots with the same state of
// breathing, as in XD-GRASP (Feng et al. 2016).
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// True if bins are requested. The decision read-frames then counts bins.
bool binsBreathing(const Decisions& d);

// Divides the only frame of a scan as decision breathing asks: "4" bins with equal numbers of shots
// in the order of breathingSignal(), or a text file with the bin of each shot, from 0 (-1: left
// out). The scan gets the arrays BreathingSignal and BreathingBins [shot]. `frames`: the bins that
// are kept (a number list; empty: all). Throws Error: no such number, several frames or slices, a
// file that does not fit, no memory.
void binBreathing(Scan& scan, const std::string& frames, Decisions& d);

}  // namespace spokelab
