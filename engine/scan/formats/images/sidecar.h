// Geometry and provenance of an image in a format that holds none: NAME.json beside it.
#pragma once

#include <filesystem>
#include <string>

#include "engine/scan/scan.h"

namespace spokelab {

// The file's name and ".json".
std::filesystem::path sidecarOf(const std::filesystem::path& image);
// The text of that file; `axes` names the image's axes in words.
std::string sidecarText(const Image& image, const std::string& axes);

}  // namespace spokelab
