// The one text for a write that the system refuses: a full disk, a folder without permission.
#pragma once

#include <filesystem>

#include "engine/core/error.h"

namespace spokelab {

// `code`: errno; 0: the writer does not know why.
Error writeError(const std::filesystem::path& target, int code);

}  // namespace spokelab
