// Resolves an output's name to its target: links are followed, devices and pipes are told from
// files.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/core/progress.h"

namespace spokelab {

struct WriteTarget {
  std::filesystem::path name;  // as the user gave it, for messages
  // The file that is replaced or written to, at the end of all links; it may not exist yet.
  std::filesystem::path place;
  int descriptor = -1;    // of this process, where the name means one: /dev/stdout
  bool isStream = false;  // a descriptor, device, pipe or socket: written to, never replaced
};

// The folder of a file; "." for a name without a folder.
std::filesystem::path folderOf(const std::filesystem::path& file);

// Throws Error for a folder, an empty name, a circle of links.
WriteTarget writeTarget(const std::filesystem::path& name);

// Throws Error at once, not after a long computation, where `name` cannot be written later.
void requireWritable(const std::filesystem::path& name);

// Writes into a stream, waiting for its reader; `from` is read to its end. Throws Error, Cancelled.
void writeToStream(const WriteTarget& stream, std::string_view content, const Progress& progress);
void copyToStream(const WriteTarget& stream, const std::filesystem::path& from, const Progress& progress);

}  // namespace spokelab
