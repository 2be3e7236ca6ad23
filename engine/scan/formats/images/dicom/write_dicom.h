// Images as DICOM: one Enhanced MR file, or a folder of classic MR files, one for each frame and
// slice. 16 bits with one slope for the whole series: magnitude unsigned, phase (rad), real and
// imaginary part signed. LPS mm. Each series has new UIDs; the patient is named only
// where WriteOptions do.
#pragma once

#include "engine/scan/formats/images/image_writers.h"

namespace spokelab {

// Throws Error beyond 4 GB of pixels, Cancelled.
void writeDicomFile(const Image& image, const ImageFile& file, const WriteOptions& options,
                    const Progress& progress);
// frame1_slice01.dcm ...; the folder appears whole or not at all.
void writeDicomSeries(const Image& image, const std::filesystem::path& folder, const WriteOptions& options,
                      const Progress& progress);

inline constexpr const char *dicomFilePrefix = "frame", *dicomFileSuffix = ".dcm";

}  // namespace spokelab
