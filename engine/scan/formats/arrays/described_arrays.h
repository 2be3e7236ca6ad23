// Finds plain arrays that are raw data: a scan description beside them (scan_description.h: JSON
// with "spokelab-scan") names them as samples, trajectory, weights or times.
#pragma once

#include <filesystem>
#include <optional>

namespace spokelab {

// The description in the file's folder that names it; none where nothing does. A description that
// cannot be read names nothing.
std::optional<std::filesystem::path> descriptionNaming(const std::filesystem::path& file);

}  // namespace spokelab
