// Images of an ISMRMRD file: a group "<group>/image_<n>" with "header" and "data" [image, channel,
// z, y, x], the first one by name. Layout: https://ismrmrd.readthedocs.io; read by a child process
// (see child_process.h).
#pragma once

#include <filesystem>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Planes become the image's slices by the slice numbers of their headers; planes of one slice, and
// channels, count as frames. Volumes are frames. Throws Error, Cancelled.
Image readMrdImage(const std::filesystem::path& file, const Progress& progress);

}  // namespace spokelab
