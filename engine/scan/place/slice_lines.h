// Slices sorted into lines: each line holds slices of the same directions whose centres follow each
// other at even steps, so that one affine describes it exactly.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

// Distance that a voxel may have from the place that an affine gives it, mm. Affines of written
// files hold to 0.1 mm; half of that is left for the rounding of headers to floats.
inline constexpr double maxMisplacedMm = 0.05;

struct SlicePlace {
  Directions directions;
  Vec3 position{};  // of its centre, LPS, mm

  bool operator==(const SlicePlace&) const = default;
};

// True if no voxel of a slice of this field of view (mm) differs by more than maxMisplacedMm.
bool samePlace(const SlicePlace& a, const SlicePlace& b, const Vec3& fov);

// Numbers of `places` in lines. Slices of a line that run evenly as given keep their order; other
// lines ascend along the slice direction. Lines follow each other by the lowest number in them. As
// few lines as possible; among equal divisions the one with the longest lines, then the one with
// the smallest steps. Two slices at the same place are in different lines.
std::vector<std::vector<std::size_t>> slicesInLines(const std::vector<SlicePlace>& places, const Vec3& fov);

// "axial", "coronal" or "sagittal": the plane next to a slice of these directions.
std::string planeName(const Directions& directions);

}  // namespace spokelab
