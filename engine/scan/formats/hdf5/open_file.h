// Opens an HDF5 file for reading. Callers hold Hdf5Lock.
#pragma once

#include <filesystem>

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// Throws Error if the file is damaged or not HDF5.
Hdf5Handle openToRead(const std::filesystem::path& file);

}  // namespace spokelab
