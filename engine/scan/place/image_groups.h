// An image whose slices or frames lie anywhere, as groups that one affine each describes: an image
// with one geometry. Files that hold one affine (NIfTI) and views show a group at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct ImageGroup {
  struct Part {
    int frame = 0, slice = 0;  // of the image
  };
  int frames = 1;
  std::vector<Part> parts;  // [frame, slice] of the group; of a volume [frame]
  Geometry geometry;        // of the group: one for all frames, slices at even steps
  std::string name;         // "axial", "sagittal-2"; empty where the image has one group
};

// Groups of an image of this geometry, size and number of frames. Each slice of each frame is in
// one group. Frames at the same place are frames of their group, slices that follow each other at
// even steps its slices, sorted by position.
std::vector<ImageGroup> imageGroups(const Geometry& geometry, const Index3& size, int frames);
std::vector<ImageGroup> imageGroups(const Image& image);

// True if the image is 2-D and each slice has its place. False also where several slices all have
// the same place: then they are taken to follow the first at the distance of their thickness.
bool slicesHavePlaces(const Geometry& geometry, const Index3& size);

// True if one affine describes the image as it is.
bool isOneGroup(const Image& image);

// "axial, 3 slices", "axial, 3 slices in 5 frames".
std::string groupText(const ImageGroup& group);

// "3 groups: axial 1 slice, coronal 1 slice, sagittal 1 slice", or "" for one.
std::string groupsText(const std::vector<ImageGroup>& groups);

// The pixels of a group. Throws Error where memory does not suffice.
std::shared_ptr<const Image> imageOfGroup(const Image& image, const ImageGroup& group);

}  // namespace spokelab
