// MATLAB's files (.mat, versions 4 to 7.3), read by the matio library in a process of its own,
// because a damaged file can crash it and the HDF5 library under it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_name.h"

namespace spokelab {

// The variables, and in the place of a structure or cell the arrays inside it (mat_inside.h). Those that
// are no full numeric arrays say so. Throws Error.
std::vector<ArrayVariable> matVariables(const std::filesystem::path& file);

// The numbers of a variable in the order of the file (first axis fastest), complex ones as pairs.
std::unique_ptr<ArrayBytes> openMatVariable(const std::filesystem::path& file, const ArrayVariable& variable);

}  // namespace spokelab
