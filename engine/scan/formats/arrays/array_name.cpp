#include "engine/scan/formats/arrays/array_name.h"

#include "engine/core/text.h"
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

}  // namespace

bool holdsSeveralArrays(const fs::path& file) {
  return isArchive(file) || lowerCase(file.extension().string()) == matlabExtension;
}

bool lacksHeader(const fs::path& file) {
  return lowerCase(file.extension().string()) == ".cfl" &&
         !fs::exists(fs::path(file).replace_extension(".hdr"));
}

ArrayName parseArrayName(const fs::path& name) {
  std::error_code code;
  if (fs::exists(name, code)) return {name, ""};
  const std::string text = name.string(), low = lowerCase(text);
  for (const std::string extension : {archiveExtension, matlabExtension}) {
    const std::size_t at = low.rfind(extension + ':');
    if (at != std::string::npos && at + extension.size() + 1 < text.size())
      return {text.substr(0, at + extension.size()), text.substr(at + extension.size() + 1)};
  }
  return {name, ""};
}

fs::path arrayName(const fs::path& file, const std::string& variable) {
  return file.string() + ':' + variable;
}

std::vector<ArrayVariable> arrayVariables(const fs::path& file) {
  return isArchive(file) ? npzMembers(file) : matVariables(file);
}

std::string ownName(const fs::path& file, const std::string& variable) {
  if (isArchive(file)) return fs::path(variable).stem().string();
  const std::string last = variable.substr(variable.rfind('.') + 1);
  return last.substr(0, last.find_first_of("({"));
}

std::unique_ptr<ArrayBytes> openVariableBytes(const fs::path& file, const ArrayVariable& variable) {
  return isArchive(file) ? openNpzMember(file, variable.name) : openMatVariable(file, variable);
}

}  // namespace spokelab
