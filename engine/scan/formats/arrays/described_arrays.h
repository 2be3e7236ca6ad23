// Finds plain arrays that are raw data: a scan description beside them (scan_description.h: JSON
// with "spokelab-scan") names them as samples, trajectory, weights or times.
#pragma once

#include <filesystem>
#include <optional>

namespace spokelab {

// The description in the file's folder that names it, if any. An unreadable one names nothing.
std::optional<std::filesystem::path> descriptionNaming(const std::filesystem::path& file);

}  // namespace spokelab
