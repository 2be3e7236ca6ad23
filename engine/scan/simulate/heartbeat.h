// A beating heart in a simulated subject, and what a physiological unit would record beside the
// shots: a shot every `motionShotSeconds`, a belt's signal of the breath, an ECG of the heart.
#pragma once

#include <vector>

#include "engine/scan/scan.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab {

inline constexpr double motionShotSeconds = 0.05;

// Sizes that the heart takes in a beat; shots between two of them see the nearer one.
inline constexpr int heartSizes = 32;

// The phantom with a heart of the size that it has at this share of a beat, in [0, 1): widest at 0.
Phantom withHeart(Phantom phantom, double phase);

// [shot] in [0, 1); empty: there is no heart.
std::vector<double> heartPhases(const SimulateOptions& options, std::int64_t shots);

// Seconds of each shot, and the traces "PMU RESP" and "PMU ECG" [2, n] (seconds, counts) of those
// motions that the options have. The ECG has its peak where the heart's phase is 0.
void recordMotion(const SimulateOptions& options, Scan& scan);

}  // namespace spokelab
