// The kind of a file, by its first bytes (BART's pair by its extension).
#pragma once

#include <filesystem>
#include <string>

namespace spokelab {

enum class FileKind { hdf5, npy, cfl, nifti, json, png, unknown };

// Throws Error where the file is missing, empty, no regular file or may not be read.
FileKind fileKind(const std::filesystem::path& file);
std::string kindName(FileKind kind);  // "a NumPy array"

}  // namespace spokelab
