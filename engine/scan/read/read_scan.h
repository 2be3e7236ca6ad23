// Reads a scan: ISMRMRD (HDF5 or a stream), raw data of a Siemens scanner (twix) or a Bruker
// scanner, an HDF5 file of a known layout (layouts/hdf5_layout.h), the JSON that describes plain
// arrays (scan_description.h), or an array whose trajectory is named (ReadOptions::separate). The
// content decides, not the file's extension.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// file -> Scan. Reads in chunks, reports progress, can be cancelled (throws Cancelled). Throws
// Error. "demo" and "demo-field" are built in (built_in_scans.h), "-" standard input
// (piped_input.h).
std::shared_ptr<const Scan> readScan(const std::filesystem::path& file, const ReadOptions& options,
                                     const Progress& progress);

}  // namespace spokelab
