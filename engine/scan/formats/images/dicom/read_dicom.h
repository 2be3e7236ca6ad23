// Reads DICOM images in a confined child process: a series of files in a folder, or a file with
// many frames. Rescaled values (slope and intercept) as real numbers; LPS mm.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// `file`: a folder that holds one series; or a file, which means its whole series where it holds
// one plane: all files of that series in its folder. [x, y, slice or z, frame]; slices by their
// places, frames by time, trigger delay and echo time. Throws Error where slices are missing,
// series are mixed, or planes differ in size or kind (magnitude, phase); Cancelled.
Image readDicom(const std::filesystem::path& file, const Progress& progress);

// True for a folder with a DICOM file; looks at some of its files.
bool isDicomFolder(const std::filesystem::path& folder);

}  // namespace spokelab
