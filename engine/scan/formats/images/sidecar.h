// Geometry and provenance of an image in a format that holds none: NAME.json beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The file's name and ".json".
std::filesystem::path sidecarOf(const std::filesystem::path& image);
// The text of that file; `axes` names the image's axes in words.
std::string sidecarText(const Image& image, const std::string& axes);
// The geometry that stands beside an image of this size; empty where none of ours does, or one that
// no image of this size can have. Throws Error where the file is damaged, Cancelled.
std::optional<Geometry> geometryBeside(const std::filesystem::path& image, const Index3& size,
                                       const Progress& progress);

// What the frames of that image are; empty where nothing beside it says so. Throws as above.
FrameAxes framesBeside(const std::filesystem::path& image, int frames, const Progress& progress);

}  // namespace spokelab
