// Layouts of HDF5 files that are public: RIESLING (versions 0 and 1), the RRSG challenge of 2019,
// fastMRI (Cartesian, and the radial breast set). Each is a description (scan_description.h) of the
// file's own data sets; trajectories that such a file leaves to its users are made here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

struct KnownLayout {
  std::string name;  // "RIESLING"
  ScanDescription description;
  std::vector<std::string> assumed;  // sentences on things that the file does not say
};

// Recognises a layout by the names and sizes of its data sets; nothing for an unknown one. Throws
// Error if a known layout cannot be read.
std::optional<KnownLayout> knownLayout(const std::filesystem::path& file, const Hdf5Contents& contents,
                                       const std::string& problem);

}  // namespace spokelab
