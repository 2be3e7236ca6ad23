// Files that this program may overwrite: it recognises the kinds that it writes by their contents,
// not by their names. A separate process checks HDF5 files (acquisitions/raw_data.h).
#pragma once

#include <filesystem>
#include <string>

namespace spokelab {

// Empty where the regular file is empty, or of a kind that this program writes:
//   pictures (PNG), NIfTI images (also compressed), meshes (PLY, our STL), PDF and SVG;
//   DICOM files whose manufacturer is this program;
//   .npy arrays with a header of ours, or with the description of an image of ours beside them;
//   BART pairs whose .hdr names this program as their creator;
//   JSON documents and pages of ours, but no description of a scan; tables with commas.
// Else what it holds, in words: "a MATLAB file". Never throws.
std::string foreignContents(const std::filesystem::path& file);

}  // namespace spokelab
