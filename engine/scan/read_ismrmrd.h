// ISMRMRD HDF5 -> Scan (see read_steps.h).
#pragma once

#include <filesystem>
#include <memory>

#include "engine/scan/read_scan.h"

namespace spokelab {

std::shared_ptr<const Scan> readIsmrmrd(const std::filesystem::path& file, const ReadOptions& options,
                                        const Progress& progress);

}  // namespace spokelab
