// The name of an array: a file, or a variable of a file that holds several (.npz, .mat, HDF5),
// written file.npz:variable or file.h5:group/dataset. Arrays inside structures and cells are
// file.mat:structure.field and file.mat:cell{2}.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

struct ArrayName {
  std::filesystem::path file;
  std::string variable;  // empty: the file's only array
};
// A file with the whole name takes precedence.
ArrayName parseArrayName(const std::filesystem::path& name);
std::filesystem::path arrayName(const std::filesystem::path& file, const std::string& variable);

// True for the extensions .npz and .mat.
bool holdsSeveralArrays(const std::filesystem::path& file);

// A .cfl without the .hdr that says its shape.
bool lacksHeader(const std::filesystem::path& file);

struct ArrayVariable {
  std::string name;
  ArrayHeader header;
  std::string unreadable;  // why it holds no array of numbers; empty: it does
};
inline constexpr std::size_t maxVariables = 1000;

// The arrays of a .npz, .mat or HDF5 file. Throws Error.
std::vector<ArrayVariable> arrayVariables(const std::filesystem::path& file);
// A variable's name without folder, structure and index: "k" of s(2).k{1}.
std::string ownName(const std::filesystem::path& file, const std::string& variable);
// The bytes of one of them; its numbers begin at the offset of its header.
std::unique_ptr<ArrayBytes> openVariableBytes(const std::filesystem::path& file,
                                              const ArrayVariable& variable);

}  // namespace spokelab
