// Frames of a continuous measurement under free breathing, of a beating heart, or of both: bins of
// shots with the same state, as in XD-GRASP (Feng et al. 2016).
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Arrays of a divided scan: state of breathing, phase of the heart, bin (-1: left out), by shot.
inline constexpr const char* breathingSignalName = "BreathingSignal";
inline constexpr const char* heartSignalName = "HeartSignal";
inline constexpr const char* motionBinsName = "BreathingBins";

// True if bins are requested. The decision read-frames then counts bins.
bool binsMotion(const Decisions& d);

// Divides the only frame of a scan as the decisions ask:
//   breathing         "4" bins with equal numbers of shots, or a text file with the bin of each
//                     shot, from 0 (-1: left out)
//   breathing-signal  centre (breathing_signal.h), ssa-fary (oscillation.h), pmu (trace_signal.h)
//   heart             "8" bins of each bin of breathing, or of all shots, by the phase of the heart
//   heart-signal      pmu, ssa-fary; by itself the former where there is a trace
// Frames are [breathing, heart]. `frames`: the bins that are kept (a number list; empty: all).
// Throws Error: no such number, several frames or slices, a file that does not fit, no signal, no
// memory.
void binMotion(Scan& scan, const std::string& frames, Decisions& d);

}  // namespace spokelab
