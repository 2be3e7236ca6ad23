// Reads a scan from a pipe: "-" for standard input, or the name of a pipe. A scan's file is read
// more than once, so a copy is kept in the temporary folder until the program ends.
#pragma once

#include <filesystem>

#include "engine/core/progress.h"

namespace spokelab {

// Standard input, a pipe or a socket.
bool isPipe(const std::filesystem::path& file);

// The file with the pipe's contents; repeated calls return the same file. Other names are returned
// as they are. Throws Cancelled, and Error if the pipe is empty or the folder is full.
std::filesystem::path regularFileOf(const std::filesystem::path& file, const Progress& progress);

// Removes the copies, for programs that end without their destructors (_exit).
void removePipedInput();

}  // namespace spokelab
