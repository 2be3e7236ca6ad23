// A Pulseq sequence described in a few numbers, for people.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/formats/pulseq/pulseq_kspace.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"

namespace spokelab {

// Proton: gradients in Hz/m are shown in mT/m with it, as the file names no nucleus.
inline constexpr double protonHzPerTesla = 42.577478518e6;

struct PulseqFacts {
  std::string name, version;
  double duration = 0;  // s
  std::int64_t blocks = 0, excitations = 0, refocusings = 0;
  std::int64_t readouts = 0, aside = 0;               // for the image, and not (isAside)
  std::int64_t minSamples = 0, maxSamples = 0;        // of a readout for the image
  double minDwell = 0, maxDwell = 0;                  // s
  double echoTime = 0, repetitionTime = 0;            // s, medians; echo: smallest |k|
  Vec3 low{0, 0, 0}, high{0, 0, 0};                   // range of k, 1/m
  std::vector<std::size_t> axes;                      // those along which k changes: 0 is x
  std::vector<double> fov;                            // mm; empty: not defined
  double maxGradient = 0, maxSlew = 0;                // T/m, T/m/s
  std::map<std::string, std::pair<int, int>> labels;  // smallest and largest value at readouts
};

PulseqFacts pulseqFacts(const PulseqSequence& sequence, const PulseqKspace& kspace);

// The axes along which k of these readouts differs by more than rounding; at least two.
std::vector<std::size_t> sampledAxes(const PulseqKspace& kspace, const std::vector<std::size_t>& readouts);
std::vector<std::size_t> imagingReadouts(const PulseqKspace& kspace);
// Definition FOV in mm, or empty. Pulseq writes metres; some old programs wrote mm.
std::vector<double> fieldOfView(const PulseqSequence& sequence);
// "kx, ky"
std::string axesText(const std::vector<std::size_t>& axes);

}  // namespace spokelab
