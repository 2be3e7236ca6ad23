// Writes images. The extension chooses the format; a file appears whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/patient/patient.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class ComplexPart { complex, magnitude, phase, real, imaginary };

struct WriteOptions {
  ComplexPart part = ComplexPart::complex;  // .png, DICOM: `complex` means magnitude
  // Grey values of .png; window <= 0: 0 ... 99.5th percentile of the magnitude.
  double window = 0, level = 0;
  // Kept in DICOM, ISMRMRD and NIfTI files where it is given.
  Patient patient;
};

enum class ImageFormat { nifti, mrd, cfl, npy, png, pictures, dicom, dicomSeries, unknown };
ImageFormat imageFormat(const std::filesystem::path& file);
// All files that writeImage() makes for the name: the other half of a pair and sidecars; none for a
// folder. An image of several groups (engine/scan/place/image_groups.h) is written to other files.
std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& file);
// The NIfTI file of a group: "head.nii.gz" and "axial" make "head_axial.nii.gz".
std::filesystem::path groupFile(const std::filesystem::path& file, const std::string& group);

// .nii, .nii.gz  affine LPS mm -> RAS from Geometry, [x, y, z, frame]; these, .h5 and .npy hold
//                complex64 or float32; complex128 or float64 if the image is in double precision.
//                A file for each group of slices and frames that one affine describes (groupFile)
// .h5, .mrd      ISMRMRD images, one for each frame and slice or volume, with its place; LPS mm
// .cfl           with .hdr; complex only; axes 0 to 2 x, y, z, 10 frames, 13 slices
// .npy           [frame, slice or z, y, x], x fastest, no flips
// .png           montage of the slices of the first frame, 8 bit
// FOLDER/        a PNG for each frame and slice
// .dcm           DICOM, one file: Enhanced MR (engine/scan/formats/images/dicom/write_dicom.h)
// NAME.dcm/      DICOM, a folder of classic MR files, one for each frame and slice
// The file also holds the image's provenance: comment extension, attributes, PNG comment; .npy and
// .cfl get geometry and provenance in NAME.json beside them (x.npy.json). Throws Error (unknown
// extension, no permission, disk full). Returns the files that hold pixels: `file`, or one a group.
std::vector<std::filesystem::path> writeImage(const Image& image, const std::filesystem::path& file,
                                              const WriteOptions& options, const Progress& progress);

// "", or the words that say that `file` cannot hold the image's double precision.
std::string precisionLost(const Image& image, const std::filesystem::path& file);

}  // namespace spokelab
