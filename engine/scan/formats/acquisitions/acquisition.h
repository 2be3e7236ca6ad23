// An acquisition of an ISMRMRD file: its header, and its two arrays of floats.
#pragma once

#include <ismrmrd/ismrmrd.h>

#include <cstdint>

namespace spokelab {

using AcquisitionHead = ISMRMRD::ISMRMRD_AcquisitionHeader;
enum class AcquisitionMember : std::uint32_t { trajectory, data };

// One tick of acquisition_time_stamp, as scanners and converters count.
inline constexpr double stampSeconds = 2.5e-3;

// Floats that an acquisition holds: samples x dimensions, or 2 x channels x samples.
std::int64_t floatsOf(const AcquisitionHead& head, AcquisitionMember member);

}  // namespace spokelab
