// An HDF5 file -> Scan: ISMRMRD, or one of the layouts of hdf5_layout.h. Any other is refused, with
// what it holds and the way to describe it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// `options`: ISMRMRD's group, and files that belong to the samples. Throws Error, Cancelled.
std::shared_ptr<Scan> readHdf5(const std::filesystem::path& file, const ReadOptions& options, Decisions& d,
                               const Progress& progress);

}  // namespace spokelab
