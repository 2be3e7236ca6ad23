// An acquisition (one readout of all channels) as ISMRMRD has it, whatever the file's format.
#pragma once

#include <ismrmrd/ismrmrd.h>

#include <cstdint>

namespace spokelab {

using AcquisitionHead = ISMRMRD::ISMRMRD_AcquisitionHeader;
enum class AcquisitionMember : std::uint32_t { trajectory, data };

// Seconds of a tick of acquisition_time_stamp: Siemens' tick, which converters keep.
inline constexpr double stampSeconds = 2.5e-3;

// Number of floats: trajectory: samples x dimensions; data: 2 x channels x samples.
std::int64_t floatsOf(const AcquisitionHead& head, AcquisitionMember member);

}  // namespace spokelab
