// The planes of DICOM files and their order in an image. Runs in the child that reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scan/formats/images/dicom/dicom_tree.h"
#include "engine/scan/scan.h"

namespace spokelab {

// One plane: a classic file, or one frame of an enhanced file. Missing numbers are NaN.
struct DicomPlane {
  int file = 0;             // index
  std::int64_t inFile = 0;  // frame of the file
  std::int64_t columns = 0, rows = 0;
  bool placed = false;  // position, directions and spacing are known
  bool volume = false;  // acquired in 3-D
  Vec3 position{};      // centre of the first pixel, mm, LPS
  Vec3 read{1, 0, 0}, phase{0, 1, 0};
  double columnStep = 1, rowStep = 1, thickness = 1;  // mm
  double slope = 1, intercept = 0;
  // time: number of the temporal position; seconds: its offset, s; trigger: its delay, ms;
  // echo: TE, ms; instance: number of the image in its series.
  double time = 0, seconds = 0, trigger = 0, echo = 0, instance = 0;
  std::string component;  // "M", "P", "R", "I" or ""
};

struct DicomFileContent {
  std::string series;      // UID
  std::string seriesText;  // "series 3, T1 spiral"
  std::string ownAxes;     // our JSON of the frames' axes
  std::vector<DicomPlane> planes;
};

// Throws Error(problem, ...) where the file holds no image.
DicomFileContent contentOf(const DicomItem& file, int index, const std::string& problem);

// The image that planes of one series make, without pixels; order: [frame, slice] of planes.
struct DicomOrder {
  Image image;
  std::vector<std::size_t> planes;
};
// Throws Error(problem, ...) where planes differ in size or kind, or slices are missing.
DicomOrder orderOf(const std::vector<DicomPlane>& planes, const std::string& ownAxes,
                   const std::string& problem);

}  // namespace spokelab
