// A Pulseq sequence over a window of its time, as curves for the screen: RF, gradients, slew rates,
// readouts and k. Curves of more points than the screen shows keep the smallest and the largest
// value of each pixel, so that no peak is hidden.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/pulseq/pulseq_kspace.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"
#include "engine/scan/scan.h"

namespace spokelab {

// A sequence as it is played, with what a view of it needs.
struct PlayedSequence {
  std::string name;  // of the file
  PulseqSequence sequence;
  PulseqKspace kspace;
  double duration = 0;                 // s
  double largestRf = 0, largestK = 0;  // Hz, 1/m
  std::vector<std::size_t> imaging;    // readouts for the image: shot s is readout imaging[s]
  // The imaging readouts in cycles over `fov` (m; 1 m if the file defines none), by covered axis.
  std::shared_ptr<const Trajectory> trajectory;
  Index3 matrix{1, 1, 1};  // that holds all points
};

// Throws Error, Cancelled.
PlayedSequence playSequence(const std::filesystem::path& file, const Progress& progress);

// Linear between its points; not-a-number: a gap.
struct PulseqCurve {
  std::vector<double> times, values;  // s from the sequence's start
};

struct PulseqCurves {
  PulseqCurve rf;                                   // magnitude, Hz
  std::array<PulseqCurve, 3> gradients;             // Hz/m, on the scanner's axes
  std::array<PulseqCurve, 3> slew;                  // Hz/m/s
  std::array<PulseqCurve, 3> k;                     // 1/m, at the samples of readouts
  std::vector<std::pair<double, double>> readouts;  // begin and end, s
};

// Blocks and readouts that touch [from, to] (s), each curve with at most 4 `pixels` points or
// little more. Throws Cancelled.
PulseqCurves pulseqCurves(const PulseqSequence& sequence, const PulseqKspace& kspace, double from, double to,
                          int pixels, const Progress& progress);

// The readout that samples at this time (s), and its nearest sample; readout -1: none does.
struct PulseqMoment {
  std::int64_t readout = -1, sample = 0;
  bool operator==(const PulseqMoment&) const = default;
};
PulseqMoment momentAt(const PulseqKspace& kspace, double time);
// The time from the excitation before this readout to the next excitation, or to the readout's end.
std::pair<double, double> shotWindow(const PulseqKspace& kspace, std::int64_t readout);
double timeOf(const PulseqKspace& kspace, const PulseqMoment& moment);

}  // namespace spokelab
