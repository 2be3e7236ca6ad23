// Reads images, maps and references: NIfTI-1 (.nii, .nii.gz), .npy, .cfl. For comparing and for maps, not raw data.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// .nii  [x, y, z, frame]; further axes count as frames; affine RAS -> LPS; scl_slope and scl_inter applied
// .npy, .cfl  up to four axes, x fastest: [frame, z, y, x] in NumPy's order, [x, y, z, frame] in BART's; no geometry:
//       1 mm voxels, nominal
// `file` is checked against its header before anything is allocated. Throws Error, Cancelled.
Image readImage(const std::filesystem::path& file, const Progress& progress);

// What a NIfTI-1 header says.
struct NiftiHeader {
  Index3 size{1, 1, 1};
  std::int64_t frames = 1;
  int datatype = 0, bytes = 0;  // NIfTI's code; bytes of a voxel
  bool swapped = false;         // the other byte order
  std::int64_t offset = 0;
  double slope = 1, intercept = 0;
  Geometry geometry;
};
// The first 348 bytes. Throws Error(problem, ...).
NiftiHeader parseNiftiHeader(std::string_view bytes, const std::string& problem);

}  // namespace spokelab
