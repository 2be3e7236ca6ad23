// The breathing of a subject, from shots that pass the centre of k-space: the magnitude there, in
// each coil, follows the parts of the body that move past the coil (Larson et al. 2004; Feng et al.
// 2016, XD-GRASP). The signal is the first principal component over the coils.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct BreathingSignal {
  std::vector<double> values;  // [shot]; between shots that pass the centre by a straight line
  std::int64_t centred = 0;    // shots that pass the centre
  double share = 0;            // of the coils' variance
  int breaths = 0;             // how often it rises through its mean
};

// The signal of the first frame and slice, without its slow drift (a straight line over the shots).
// Throws Error (summary `problem`) where fewer than 8 shots come within one cycle/FOV of the
// centre.
BreathingSignal breathingSignal(const Scan& scan, const std::string& problem);

}  // namespace spokelab
