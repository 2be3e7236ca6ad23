// Files that this program may overwrite: it recognises the kinds that it writes by their contents,
// not by their names. HDF5 files are not checked here: a separate process opens them
// (acquisitions/raw_data.h), because a damaged one can crash the library.
#pragma once

#include <filesystem>
#include <string>

namespace spokelab {

// Says why a regular file must not be overwritten. Returns "" if it may be overwritten, because it
// is empty, or of a kind that this program writes:
//   pictures (PNG), NIfTI images (also compressed), meshes (PLY, our STL), PDF and SVG;
//   DICOM files whose manufacturer is this program;
//   .npy arrays with a header of ours, or with the description of an image of ours beside them;
//   BART pairs whose .hdr names this program as their creator;
//   JSON documents and pages of ours, but no description of a scan; tables with commas.
// Otherwise returns what the file holds, in words: "a MATLAB file", or "what cannot be read". Never
// throws. A new kind of output has to be recognised here, or the program refuses to replace it.
std::string foreignContents(const std::filesystem::path& file);

}  // namespace spokelab
