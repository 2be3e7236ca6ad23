// Reads images, maps and references: NIfTI-1 (.nii, .nii.gz), DICOM (a file or a folder), ISMRMRD
// (.h5, .mrd), .npy, .cfl. For comparing and for maps, not raw data.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// .nii        [x, y, z, frame]; further axes count as frames; affine RAS -> LPS; scl_slope and
//             scl_inter applied
// DICOM       engine/scan/formats/images/dicom/read_dicom.h
// .h5         read_mrd_image.h
// .npy, .cfl  up to four axes, x fastest: [frame, z, y, x] in NumPy's order, [x, y, z, frame] in
//             BART's (frames at axis 10, slices at 13, too); the geometry that writeImage() put
//             beside them, else 1 mm voxels, nominal
// `file` is checked against its header before anything is allocated. Throws Error, Cancelled.
Image readImage(const std::filesystem::path& file, const Progress& progress);

}  // namespace spokelab
