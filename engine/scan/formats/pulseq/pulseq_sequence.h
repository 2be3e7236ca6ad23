// A Pulseq sequence (.seq, versions 1.2 to 1.5) as its file holds it: blocks that play at one time
// an RF pulse, a gradient on each axis and a readout, and the events that they name. Times in s,
// gradients and RF amplitudes in Hz/m and Hz, as the file has them.
// Source: K. J. Layton et al., Pulseq, MRM 77:1544 (2017); the format's specification, 1.5.1.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab {

enum class RfUse { excitation, refocusing, inversion, saturation, preparation, other, undefined };

struct PulseqRf {
  double amplitude = 0;  // Hz
  int magnitudeShape = 0, phaseShape = 0, timeShape = 0;
  double delay = 0, centre = 0, duration = 0;  // s; the centre is counted from the end of the delay
  double frequency = 0, phase = 0;             // Hz, rad
  double flipDegrees = 0;                      // on resonance
  RfUse use = RfUse::undefined;
};

struct PulseqGradient {
  enum class Kind { trapezoid, arbitrary };
  Kind kind = Kind::trapezoid;
  double amplitude = 0, delay = 0;
  double rise = 0, flat = 0, fall = 0;  // trapezoid
  int shape = 0, timeShape = 0;         // arbitrary; timeShape -1: samples half a raster apart
  // Arbitrary: gradient at both ends. Files before 1.5 do not hold them: the gradient then begins
  // with the value at which the previous block ended, or with 0 if it has a delay.
  bool hasEdges = false;
  double first = 0, last = 0;
};

struct PulseqAdc {
  std::int64_t samples = 0;
  double dwell = 0, delay = 0;
  double frequency = 0, phase = 0;  // Hz, rad
  int phaseShape = 0;
};

struct PulseqBlock {
  double duration = 0;
  int rf = 0, adc = 0, extension = 0;  // 0: none
  std::array<int, 3> gradients{0, 0, 0};
};

struct PulseqExtension {
  int type = 0, reference = 0, next = 0;
};

struct PulseqLabel {
  std::string name;  // LIN, SLC, ...
  int value = 0;
};

struct PulseqSequence {
  int major = 0, minor = 0, revision = 0;
  std::map<std::string, std::string> definitions;
  double gradientRaster = 10e-6, rfRaster = 1e-6, adcRaster = 100e-9, blockRaster = 10e-6;
  std::vector<PulseqBlock> blocks;
  std::map<int, PulseqRf> rfs;
  std::map<int, PulseqGradient> gradients;
  std::map<int, PulseqAdc> adcs;
  std::map<int, std::vector<double>> shapes;  // decompressed
  std::map<int, PulseqExtension> extensions;
  std::map<int, std::string> extensionTypes;  // LABELSET, LABELINC, ROTATIONS, ...
  std::map<int, PulseqLabel> labelSets, labelIncrements;
  std::map<int, std::array<double, 9>> rotations;  // row by row
  std::vector<std::string> remarks;                // what was read and not used

  double duration() const;
  // Numbers of a definition, empty where it has none.
  std::vector<double> numbers(const std::string& definition) const;
};

// Recognises a sequence by its first line or section.
bool isPulseq(const std::filesystem::path& file);
// Throws Error (with the line where the file is wrong), Cancelled.
PulseqSequence readPulseq(const std::filesystem::path& file, const Progress& progress);
// The same from text; `problem` begins messages.
PulseqSequence parsePulseq(std::string_view text, const std::string& problem, const Progress& progress);

// Samples of a shape that the file compresses. It holds the differences of successive samples; a
// run of n equal differences is stored as the difference twice, followed by n - 2. `stored`: the
// file holds `samples` numbers because it does not compress them. Throws Error (problem ...).
std::vector<double> decompressShape(const std::vector<double>& packed, std::int64_t samples, bool stored,
                                    const std::string& problem);

}  // namespace spokelab
