// Reads a scan from disk: ISMRMRD HDF5, or the JSON that describes BART's or NumPy's arrays
// (scan_description.h). The content decides, not the file's extension.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// file -> Scan. Reads in chunks, reports progress, can be cancelled (throws Cancelled). Throws
// Error. The name "demo" is the built-in scan (demoScan).
std::shared_ptr<const Scan> readScan(const std::filesystem::path& file, const ReadOptions& options,
                                     const Progress& progress);

}  // namespace spokelab
