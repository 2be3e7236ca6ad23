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
// The geometry that our sidecar file gives for an image of this size; empty without a valid one.
// Throws Cancelled, and Error if the file is damaged.
std::optional<Geometry> geometryBeside(const std::filesystem::path& image, const Index3& size,
                                       const Progress& progress);

// The frame axes that the sidecar gives; empty if it has none. Throws as above.
FrameAxes framesBeside(const std::filesystem::path& image, int frames, const Progress& progress);

}  // namespace spokelab
