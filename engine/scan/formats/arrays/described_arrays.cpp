#include "engine/scan/formats/arrays/described_arrays.h"

#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/document.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t maxDescriptionBytes = 1 << 20;  // longer documents are not descriptions
constexpr int maxFiles = 256;                         // of a folder that are looked at

// The strings under "file" and "files" of a part.
void addNames(const json& part, std::vector<std::string>& names) {
  if (part.contains("file") && part["file"].is_string()) names.push_back(part["file"]);
  if (!part.contains("files") || !part["files"].is_array()) return;
  for (const json& name : part["files"])
    if (name.is_string()) names.push_back(name);
}

std::vector<std::string> rawFilesOf(const fs::path& description) {
  std::vector<std::string> names;
  const json root =
      parseDocument(readDocument(description, {}, maxDescriptionBytes), "Cannot look for raw data", "");
  if (!root.is_object() || !root.contains("spokelab-scan")) return names;
  for (const char* part : {"samples", "trajectory", "weights", "times", "noise"})
    if (root.contains(part) && root[part].is_object()) addNames(root[part], names);
  return names;
}

// `name` as a description writes it: "ksp.npy", "scan.npz:ksp", "ksp" (BART's pair).
bool names(const fs::path& folder, const std::string& name, const fs::path& file) {
  std::error_code ignored;
  const auto same = [&](const fs::path& other) { return fs::equivalent(other, file, ignored); };
  const std::size_t colon = name.rfind(':');
  if (same(folder / name) || (colon != std::string::npos && same(folder / name.substr(0, colon))))
    return true;
  for (const char* suffix : {".cfl", ".hdr"})
    if (same(folder / (name + suffix)) || same((folder / name).replace_extension(suffix))) return true;
  return false;
}

}  // namespace

std::optional<fs::path> descriptionNaming(const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  std::error_code gone;
  int looked = 0;
  for (fs::directory_iterator entry(folder, gone), end; !gone && entry != end && looked < maxFiles;
       entry.increment(gone)) {
    std::error_code unknown;
    if (entry->path().extension() != ".json" || !entry->is_regular_file(unknown) ||
        entry->file_size(unknown) > maxDescriptionBytes)
      continue;
    ++looked;
    try {
      for (const std::string& name : rawFilesOf(entry->path()))
        if (names(folder, name, file)) return entry->path();
    } catch (const Error&) {  // another program's document, or a damaged one
    }
  }
  return std::nullopt;
}

}  // namespace spokelab
