// The meaning of the third and the fourth number of a trajectory: kz, a density weight (as
// Gadgetron writes it), the time in seconds (as PowerGrid writes it), or nothing; and whether kz is
// counted instead of stored.
#pragma once

#include <vector>

#include "engine/scan/read/steps/raw_trajectory.h"

namespace spokelab {

// Flag of readouts whose k falls where kspace_encode_step_2 rises (a user's flag of ISMRMRD).
inline constexpr std::uint64_t countedNegatedFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_USER7 - 1);

// Column indices of the trajectory; -1 for a missing one.
struct Columns {
  int dims = 2;  // of k, the first columns
  // The centre of kspace_encode_step_2, where that counts kz, which is not stored; else -1.
  int partition = -1;
  bool partitionNegated = false;  // kz falls where it rises
  int weight = -1, time = -1;
};
Columns decideColumns(const RawTrajectory& raw, const Selection& selection,
                      const std::vector<AcquisitionHead>& heads, const EncodingSpace& space, Decisions& d);

}  // namespace spokelab
