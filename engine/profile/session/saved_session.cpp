#include "engine/profile/session/saved_session.h"

#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/results_read.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json scanToJson(const SavedScan& scan, const fs::path& folder) {
  json j{{"name", scan.name},
         {"file", scan.file},
         {"fingerprint", scan.fingerprint},
         {"overrides", scan.overrides},
         {"simulation", scan.simulation}};
  putSeparate(j, scan.separate);
  if (scan.file.empty() || isBuiltIn(scan.file)) return j;
  std::error_code failed;
  const fs::path absolute = fs::absolute(scan.file, failed);
  const fs::path relative = fs::proximate(absolute, folder, failed);
  j["absolute"] = absolute.string();
  j["file"] = failed ? absolute.string() : relative.generic_string();
  return j;
}

json imageToJson(const Image& image, const std::string& file) {
  return {{"file", file},       {"frames", image.frames},
          {"size", image.size}, {"geometry", geometryToJson(image.geometry)},
          {"name", image.name}, {"provenance", image.provenance}};
}

std::string text(const json& j, int indent = -1) {
  return j.dump(indent, ' ', false, json::error_handler_t::replace);
}

// A run is a line: indented it would be several times as long.
std::string withRuns(std::string document, const std::vector<TimedRun>& runs, const Progress& progress) {
  document.resize(document.rfind('\n'));  // before the last bracket
  document += ",\n \"runs\": [";
  const char* before = "\n";
  for (const TimedRun& run : runs) {
    progress.checkpoint();
    document += before + text(toJson(run));
    before = ",\n";
  }
  return document + "]\n}\n";
}

}  // namespace

SessionWriter::SessionWriter(const fs::path& file, FreeSpace space)
    : file_(fs::absolute(file)), images_(sessionImages(file_), std::move(space)) {
}

void SessionWriter::save(const SavedSession& session, const Progress& progress) {
  requireReplaceable(file_);  // before the images are written
  for (const SavedResult& entry : session.results)
    images_.write(entry.result->image, SessionImages::asked, progress);
  saveNumbers(session, progress);
}

void SessionWriter::saveNumbers(const SavedSession& session, const Progress& progress) {
  std::vector<std::string> names;
  json results = json::array();
  for (const SavedResult& entry : session.results) {
    progress.checkpoint();
    json j{{"id", entry.id}, {"scan", entry.scan}, {"ofScan", entry.ofScan}};
    if (!entry.title.empty()) j["title"] = entry.title;
    j["reconstruction"] = toJson(*entry.result);
    j["reconstruction"].erase("image");
    const std::string name = images_.nameOf(entry.result->image);
    if (!name.empty()) names.push_back(name);
    if (entry.result->image)
      j["image"] = imageToJson(*entry.result->image,
                               name.empty() ? "" : (images_.folder().filename() / name).generic_string());
    results.push_back(std::move(j));
  }
  json j{{"format", "spokelab-session"},
         {"formatVersion", sessionFormatVersion},
         {"version", versionText()},
         {"saved", timeNow()},
         {"scan", session.scan ? scanToJson(*session.scan, file_.parent_path()) : json()},
         {"options", session.options},
         {"results", std::move(results)},
         {"shown", session.shown},
         {"reference", session.reference},
         {"pinned", session.pinned},
         {"view", session.view},
         {"chosenRun", session.chosenRun},
         {"charts", nullptr}};  // of versions that kept one run
  writeFileAtomically(file_, withRuns(text(j, 1), session.runs, progress));
  images_.removeOthers(names);
}

bool isSession(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;
  if (file.extension() == sessionExtension) return true;
  if (file.extension() != ".json") return false;
  std::ifstream in(file, std::ios::binary);
  constexpr std::size_t enough = 1 << 16;
  std::string start(enough, '\0');
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(in.gcount()));
  return start.find("\"spokelab-session\"") != std::string::npos;
}

}  // namespace spokelab
