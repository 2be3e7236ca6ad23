// The elements of an image's DICOM files, except the pixels.
#pragma once

#include <string>

#include "engine/scan/formats/images/dicom/dicom_tree.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

// value = slope * stored. largest: the largest magnitude of a value, for the display window.
struct DicomScale {
  double slope = 1, largest = 0;
  std::string slopeText;
  bool isSigned = false;
};

// Unique names that are new: "2.25." and a random number of 128 bits (part 5, B.2).
std::string newDicomUid();

// The elements that all files of a series share.
struct DicomSeries {
  std::string study = newDicomUid(), series = newDicomUid(), place = newDicomUid();
};

struct ClassicParts {
  const DicomSeries& series;
  const WriteOptions& options;  // part: not `complex`
  const DicomScale& scale;
};

// One file for one frame and slice: MR Image (part 3, A.4).
DicomItem classicContent(const Image& image, const ClassicParts& parts, int frame, std::int64_t slice);
// One file for all: Enhanced MR Image (A.36), in the order of the image's frames and slices.
DicomItem enhancedContent(const Image& image, const WriteOptions& options, const DicomScale& scale);

}  // namespace spokelab
