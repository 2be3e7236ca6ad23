// Finds modules that are loaded at run time, beside the program or libspokelab.so, or installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab {

// `variable`: of the environment, or null; where it is set, it is the only place.
std::vector<std::filesystem::path> modulePlaces(const std::string& file, const char* variable);
// The first of these places that has the file; empty where none has it.
std::filesystem::path installedModule(const std::string& file);

}  // namespace spokelab
