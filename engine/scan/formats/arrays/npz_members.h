// NumPy's archives of arrays (.npz): a zip file whose members are .npy files, stored or deflated.
// Whatever the directory of the archive says is checked before room is made for it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_name.h"

namespace spokelab {

// The members, without ".npy". Throws Error if the file is damaged or not an archive.
std::vector<ArrayVariable> npzMembers(const std::filesystem::path& file);

// A member's bytes, its .npy header included.
std::unique_ptr<ArrayBytes> openNpzMember(const std::filesystem::path& file, const std::string& name);

}  // namespace spokelab
