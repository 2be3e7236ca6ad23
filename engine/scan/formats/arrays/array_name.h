// The name of an array: a file, or a variable of a file that holds several (.npz, .mat, HDF5),
// written file.npz:variable, file.h5:group/dataset, or file.mat:structure.field and file.mat:cell{2}
// for what lies inside one.
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
// A file of the whole name comes first.
ArrayName parseArrayName(const std::filesystem::path& name);
std::filesystem::path arrayName(const std::filesystem::path& file, const std::string& variable);

// By the extension: .npz or .mat.
bool holdsSeveralArrays(const std::filesystem::path& file);

// A .cfl without the .hdr that says its shape.
bool lacksHeader(const std::filesystem::path& file);

struct ArrayVariable {
  std::string name;
  ArrayHeader header;
  std::string unreadable;  // why it holds no array of numbers; empty: it does
};
inline constexpr std::size_t maxVariables = 1000;

// What a .npz, .mat or HDF5 file holds. Throws Error.
std::vector<ArrayVariable> arrayVariables(const std::filesystem::path& file);
// What a variable is called, without folder, structure and place: "k" of s(2).k{1}.
std::string ownName(const std::filesystem::path& file, const std::string& variable);
// The bytes of one of them; its numbers begin at the offset of its header.
std::unique_ptr<ArrayBytes> openVariableBytes(const std::filesystem::path& file,
                                              const ArrayVariable& variable);

}  // namespace spokelab
