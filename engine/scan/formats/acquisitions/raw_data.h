// Raw data are never a target: an ISMRMRD HDF5 file with acquisitions is replaced only by raw data,
// and only where Spokelab made it (its header names the vendor Spokelab). A damaged HDF5 file
// counts as raw data: it may be a scan that is still being copied. Plain arrays that a description
// beside them makes a scan of (formats/arrays/described_arrays.h) are replaced only by raw data.
// Any other file that this program did not write (formats/own_files.h) is not replaced either. HDF5
// files are replaced if they hold images, or a scan of ours to which nothing was added.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/core/progress.h"

namespace spokelab {

// The vendor in the header of each scan that Spokelab writes.
inline constexpr std::string_view ownVendor = "Spokelab";

// True if an HDF5 file holds acquisitions or is damaged. Throws Cancelled.
bool holdsRawData(const std::filesystem::path& file, const Progress& progress);

// Both set the rule of engine/core/output/job_files.h about files that may be replaced.
// protectRawData() keeps raw data; protectFiles() also keeps files that the program did not write.
// Every program calls protectFiles() first in main().
void protectRawData();
void protectFiles();

}  // namespace spokelab
