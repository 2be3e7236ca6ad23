#include "engine/scan/formats/arrays/array_name.h"

#include "engine/core/text.h"
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/formats/arrays/mat_variables.h"
#include "engine/scan/formats/arrays/npz_members.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

const char* const archiveExtension = ".npz";
const char* const matlabExtension = ".mat";

bool isArchive(const fs::path& file) {
  return lowerCase(file.extension().string()) == archiveExtension;
}

bool isMatlab(const fs::path& file) {
  return lowerCase(file.extension().string()) == matlabExtension;
}

// A path inside an HDF5 file, without slashes at its ends.
std::string datasetPath(std::string path) {
  while (path.starts_with('/')) path.erase(0, 1);
  while (path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

bool holdsSeveralArrays(const fs::path& file) {
  return isArchive(file) || isMatlab(file);
}

bool lacksHeader(const fs::path& file) {
  return lowerCase(file.extension().string()) == ".cfl" &&
         !fs::exists(fs::path(file).replace_extension(".hdr"));
}

ArrayName parseArrayName(const fs::path& name) {
  std::error_code code;
  if (fs::exists(name, code)) return {name, ""};
  const std::string text = name.string(), low = lowerCase(text);
  for (const std::string extension : {archiveExtension, matlabExtension, ".h5", ".hdf5", ".mrd"}) {
    const std::size_t at = low.rfind(extension + ':');
    if (at == std::string::npos || at + extension.size() + 1 >= text.size()) continue;
    const fs::path file = text.substr(0, at + extension.size());
    const std::string variable = text.substr(at + extension.size() + 1);
    return {file, holdsSeveralArrays(file) ? variable : datasetPath(variable)};
  }
  return {name, ""};
}

fs::path arrayName(const fs::path& file, const std::string& variable) {
  return file.string() + ':' + variable;
}

std::vector<ArrayVariable> arrayVariables(const fs::path& file) {
  if (isArchive(file)) return npzMembers(file);
  return isMatlab(file) ? matVariables(file) : hdf5Contents(file, Progress()).arrays;
}

std::string ownName(const fs::path& file, const std::string& variable) {
  if (isArchive(file)) return fs::path(variable).stem().string();
  if (!isMatlab(file)) return variable.substr(variable.rfind('/') + 1);
  const std::string last = variable.substr(variable.rfind('.') + 1);
  return last.substr(0, last.find_first_of("({"));
}

std::unique_ptr<ArrayBytes> openVariableBytes(const fs::path& file, const ArrayVariable& variable) {
  if (isArchive(file)) return openNpzMember(file, variable.name);
  return isMatlab(file) ? openMatVariable(file, variable) : openHdf5Dataset(file, variable);
}

}  // namespace spokelab
