// Reads MATLAB's files (.mat, versions 4 to 7.3) by the matio library in a separate process,
// because a damaged file can crash it and the HDF5 library under it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_name.h"

namespace spokelab {

// The variables; a structure or cell is replaced by the arrays inside it (mat_inside.h). Variables
// that are not full numeric arrays give the reason. Throws Error.
std::vector<ArrayVariable> matVariables(const std::filesystem::path& file);

// The numbers of a variable in the order of the file (first axis fastest), complex ones as pairs.
std::unique_ptr<ArrayBytes> openMatVariable(const std::filesystem::path& file, const ArrayVariable& variable);

}  // namespace spokelab
