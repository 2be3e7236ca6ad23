#include "engine/scan/read/files_behind.h"

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/description/scan_description.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// BART's other half: .cfl and .hdr belong together.
void addArray(const fs::path& name, std::vector<fs::path>& files) {
  const fs::path file = parseArrayName(name).file;
  files.push_back(file);
  for (const auto& [half, other] : {std::pair{".cfl", ".hdr"}, {".hdr", ".cfl"}})
    if (file.extension() == half) files.push_back(fs::path(file).replace_extension(other));
}

}  // namespace

std::vector<fs::path> filesBehind(const fs::path& file) {
  std::vector<fs::path> files;
  if (const auto data = brukerData(file)) {
    std::error_code failed;
    files.push_back(*data);
    for (const char* const name : {"acqp", "method", "traj"})
      if (fs::is_regular_file(data->parent_path() / name, failed))
        files.push_back(data->parent_path() / name);
    return files;
  }
  addArray(file, files);
  try {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || fileKind(file) != FileKind::json) return files;
    const ScanDescription d = parseScanDescription(readDocument(file), file.parent_path(), "");
    for (const ArrayPart& part : d.parts()) addArray(d.folder / part.file, files);
  } catch (const Error&) {  // who reads it says what is wrong
  }
  return files;
}

}  // namespace spokelab
