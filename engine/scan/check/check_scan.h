// Everything that looks wrong in a scan, in words that a vendor or a colleague can act on.
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class FindingWeight { wrong, suspicious, note };

struct Finding {
  FindingWeight weight = FindingWeight::note;
  std::string what;    // "Coil 3 holds no signal"
  std::string reason;  // the numbers behind it
  std::string remedy;  // what to do, or ""
};

// Questions and warnings of the reader, geometry, places of slices and frames, coverage of k-space,
// trajectory (jumps, repeated shots), samples (dead or loud coils, empty, doubled, noise-like and
// clipped readouts, echoes beside k = 0, empty frames), noise readouts, timing. Heaviest first.
// Looks at every sample once; can be cancelled.
std::vector<Finding> checkScan(const Scan& scan, const Progress& progress);

std::string weightName(FindingWeight weight);  // "wrong", "suspicious", "note"

}  // namespace spokelab
