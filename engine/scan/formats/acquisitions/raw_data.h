// Raw data are never a target: an ISMRMRD HDF5 file with acquisitions is replaced only by raw data, and
// only where Spokelab made it (its header names the vendor Spokelab). A damaged HDF5 file counts as raw
// data: it may be a scan that is still being copied.
#pragma once

#include <string_view>

namespace spokelab {

// The vendor in the header of each scan that Spokelab writes.
inline constexpr std::string_view ownVendor = "Spokelab";

// Sets the rule of engine/core/output/job_files.h; every program calls it first thing in main().
void protectRawData();

}  // namespace spokelab
