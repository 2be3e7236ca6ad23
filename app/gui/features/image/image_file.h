// Images in files, as results of the window.
#pragma once

#include <QString>

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// Reads NIfTI, DICOM, ISMRMRD, .npy, .npz, .mat, .cfl. An image without geometry takes the scan's
// geometry if the matrix agrees; scan may be null. Throws Error, Cancelled.
std::shared_ptr<const Reconstruction> readImageResult(const std::filesystem::path& file, const Scan* scan,
                                                      const Progress& progress);

// "64 × 64 × 32, 3.4 × 3.4 × 4 mm, 10 frames, complex"
QString imageText(const Image& image);

inline constexpr const char* imageEndings = "*.nii *.nii.gz *.dcm *.ima *.h5 *.mrd *.npy *.npz *.mat *.cfl";

}  // namespace spokelab
