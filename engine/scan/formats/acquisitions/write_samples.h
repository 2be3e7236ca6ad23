// Samples of a scan for other programs: as an array, .npy or BART's .cfl, or as ISMRMRD.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// .npy [coil, shot, sample], with [frame, slice] before them where there is more than one of
//      either; complex128 where the scan is in double precision
// .cfl complex64 with its .hdr; BART's axes: 1 sample, 2 shot, 3 coil, 10 frame, 13 slice
// .h5, .mrd, .hdf5 as writeScan() does: with the trajectory, both in single precision
// Arrays need shots of one length: if lengths differ, all shots count as one. All frames need the
// same number of samples. A file appears whole or not at all. Throws Error, Cancelled.
void writeSamples(const Scan& scan, const std::filesystem::path& file, const Progress& progress);

// Throws Error where the extension of `file` names no format for samples.
void requireSamplesFormat(const std::filesystem::path& file);

// "", or the words that say that `file` cannot hold the scan's double precision.
std::string precisionLost(const Scan& scan, const std::filesystem::path& file);

}  // namespace spokelab
