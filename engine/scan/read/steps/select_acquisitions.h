// Selects the image's acquisitions by encoding space, flags, channels and trajectory.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/header/mrd_header.h"

namespace spokelab {

struct Selection {
  std::size_t encoding = 0;
  std::vector<std::int64_t> imaging, noise;  // indices into heads, ascending
  int coils = 1;
  int columns = 0;      // numbers a sample in the stored trajectory
  bool discard = true;  // apply discard_pre and discard_post
};
Selection selectAcquisitions(const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
                             Decisions& d);

// The same where the trajectory is given elsewhere. Decides and notes nothing in `d`.
Selection selectWithoutTrajectory(std::vector<AcquisitionHead> heads, const MrdHeader& header,
                                  const Decisions& d);

// Samples of an acquisition that are kept: [first, first + count).
struct SampleRange {
  std::int64_t first = 0, count = 0;
};
SampleRange keptSamples(const AcquisitionHead& head, bool discard);

}  // namespace spokelab
