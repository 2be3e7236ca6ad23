// A scan from a pipe: "-" for standard input, or the name of a pipe. Reading a scan goes through
// its file more than once, so what comes is kept in a file of the temporary folder until the
// program ends.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"

namespace spokelab {

// Standard input, a pipe or a socket.
bool isPipe(const std::filesystem::path& file);

// The file that holds all that came through the pipe; the same one when it is asked again. Other
// names are returned as they are. Throws Error where nothing comes or the folder is full,
// Cancelled.
std::filesystem::path regularFileOf(const std::filesystem::path& file, const Progress& progress);

}  // namespace spokelab
