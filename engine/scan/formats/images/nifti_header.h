// NIfTI-1 headers (nifti.nimh.nih.gov, nifti1.h): sizes, type, and where the voxels lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/scan/scan.h"

namespace spokelab {

inline constexpr std::size_t niftiHeaderBytes = 348;

struct NiftiHeader {
  Index3 size{1, 1, 1};
  std::int64_t frames = 1;
  int datatype = 0, bytes = 0;  // NIfTI's code; bytes of a voxel
  bool swapped = false;         // the other byte order
  std::int64_t offset = 0;
  double slope = 1, intercept = 0;
  Geometry geometry;
};
// From the first niftiHeaderBytes. Throws Error(problem, ...).
NiftiHeader parseNiftiHeader(std::string_view bytes, const std::string& problem);

}  // namespace spokelab
