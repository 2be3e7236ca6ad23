// Lists the arrays that may belong to a scan, in one file or in its folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

struct ArrayCandidate {
  std::filesystem::path file;  // beside the description: "ksp.npy", "scan.npz:ksp"
  std::string word;            // what it is called: "ksp", in lower case
  ArrayHeader header;
  bool onlyReal = false;  // complex by type, but its first numbers have no imaginary part
  bool onPath = false;    // complex, and its first numbers follow a smooth path, as kx + i ky does
  bool bare = false;      // a .cfl without .hdr: only the number of its elements is known
};

// One array, by its name: a file, or a variable of one. Throws Error.
ArrayCandidate candidateOf(const std::filesystem::path& name);
std::vector<ArrayCandidate> candidatesInside(const std::filesystem::path& file);
// Lone arrays in the folder of `file`; with `all`, the variables of its files as well.
std::vector<ArrayCandidate> candidatesBeside(const std::filesystem::path& file, bool all);

}  // namespace spokelab
