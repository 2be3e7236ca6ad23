// The k-space trajectory of a Pulseq sequence at its samples: the integral of its gradients (Hz/m)
// since the last excitation, turned round at the centre of each refocusing pulse.
//   k(t) = ∫ G dt since the excitation;  k → −k at a refocusing pulse
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"

namespace spokelab {

// One readout (ADC event) as it is played.
struct PulseqReadout {
  std::size_t block = 0;
  std::int64_t first = 0, samples = 0;  // place in PulseqKspace::k, in samples
  double time = 0;                      // of its first sample's centre from the sequence's start, s
  double dwell = 0;
  double frequency = 0, phase = 0;  // Hz, rad
  // Seconds from the last excitation to the first sample; negative: none came before.
  double sinceExcitation = -1;
  std::map<std::string, int> labels;  // at this time; those never set are left out

  int label(const std::string& name) const {
    const auto found = labels.find(name);
    return found == labels.end() ? 0 : found->second;
  }
  // True for noise and navigators by label, and for readouts before the first excitation.
  bool isAside() const { return label("NOISE") != 0 || label("NAV") != 0 || sinceExcitation < 0; }
};

struct PulseqKspace {
  std::vector<PulseqReadout> readouts;
  std::vector<Vec3> k;  // 1/m, [sample] of all readouts
  std::int64_t excitations = 0, refocusings = 0;
  double maxGradient = 0, maxSlew = 0;  // of one axis: Hz/m, Hz/m/s
};

// Integral of a scanner's gradients less the sequence's, from its start to a time in s: 1/m.
using GradientDeviation = std::function<Vec3(double seconds)>;

// deviation: added to the gradients; empty: they are as asked for. Throws Error where memory does
// not suffice, Cancelled.
PulseqKspace calculateKspace(const PulseqSequence& sequence, const std::string& problem,
                             const Progress& progress, const GradientDeviation& deviation = {});

}  // namespace spokelab
