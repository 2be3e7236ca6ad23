#include "engine/scan/formats/acquisitions/acquisition.h"

namespace spokelab {

std::int64_t floatsOf(const AcquisitionHead& head, AcquisitionMember member) {
  const std::int64_t perSample = member == AcquisitionMember::trajectory
                                     ? head.trajectory_dimensions
                                     : 2 * std::int64_t(head.active_channels);
  return perSample * head.number_of_samples;
}

}  // namespace spokelab
