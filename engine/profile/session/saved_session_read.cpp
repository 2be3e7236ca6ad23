// A session read from its file.
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/results_read.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Texts = std::map<std::string, std::string>;

// The file at the relative path, else at the absolute one; if both are missing, the relative one.
std::string scanFile(const json& j, const fs::path& folder) {
  const auto file = j.at("file").get<std::string>();
  if (file.empty() || isBuiltIn(file)) return file;
  std::error_code failed;
  const fs::path relative = (folder / file).lexically_normal();
  if (fs::exists(relative, failed)) return relative.string();
  const std::string absolute = j.value("absolute", std::string());
  return !absolute.empty() && fs::exists(absolute, failed) ? absolute : relative.string();
}

SavedScan scanOf(const json& j, const fs::path& folder) {
  SavedScan scan;
  scan.name = j.at("name").get<std::string>();
  scan.file = scanFile(j, folder);
  scan.fingerprint = j.at("fingerprint").get<std::string>();
  scan.overrides = j.at("overrides").get<Texts>();
  scan.simulation = j.at("simulation").get<Texts>();
  scan.separate = separateOfJson(j);
  return scan;
}

// Throws Error where the file is not the image that the session means.
std::shared_ptr<const Image> imageOf(const json& j, const fs::path& folder, const Progress& progress) {
  const fs::path named = j.at("file").get<std::string>();
  const fs::path file = folder / named;
  auto image = std::make_shared<Image>(readImage(file, progress));
  if (image->frames != countAt<int>(j, "frames") || image->size != sizeAt(j, "size", 0) ||
      imageFingerprint(*image) != named.stem().string())
    throw Error("Cannot use " + file.string(), "it is not the image that was saved", "Reconstruct again");
  image->geometry = geometryFromJson(j.at("geometry"));
  image->name = j.at("name").get<std::string>();
  image->provenance = j.at("provenance").get<std::vector<std::string>>();
  return image;
}

SavedResult resultOf(const json& j, const fs::path& folder, bool images, std::vector<std::string>& problems,
                     const Progress& progress) {
  SavedResult entry;
  entry.id = countAt<int>(j, "id");
  entry.scan = j.at("scan").get<std::string>();
  entry.ofScan = j.at("ofScan").get<bool>();
  entry.title = j.value("title", std::string());
  std::vector<std::string> unknown;
  auto result = std::make_shared<Reconstruction>(reconstructionFromJson(j.at("reconstruction"), unknown));
  const std::string title = "result " + std::to_string(entry.id);
  for (const std::string& what : unknown) problems.push_back(title + ": " + what);
  if (images && j.contains("image")) {
    try {
      if (j.at("image").at("file").get<std::string>().empty())
        throw Error("", "its image was not kept", "Reconstruct again");
      result->image = imageOf(j.at("image"), folder, progress);
    } catch (const Error& error) {
      problems.push_back(title + ": " + error.reason());
    } catch (const json::exception& error) {
      problems.push_back(title + ": its image is described in a wrong way: " + error.what());
    }
  }
  entry.result = std::move(result);
  return entry;
}

// Files of earlier versions hold what the charts showed, and no other run.
TimedRun runOfCharts(const json& charts, const SavedSession& session) {
  TimedRun run;
  run.number = 1;
  run.kind = RunKind::tuning;
  if (session.scan) {
    run.scan = session.scan->name;
    run.fingerprint = session.scan->fingerprint;
  }
  if (const double accuracy = numberFromJson(charts.at("accuracy")); accuracy > 0) run.accuracy = accuracy;
  run.timed = std::make_shared<const TuneResult>(tuneResultFromJson(charts.at("tune")));
  run.visible = true;
  for (const SavedResult& result : session.results)
    if (result.ofScan) run.results.push_back(result.id);
  return run;
}

void readRuns(const json& j, SavedSession& session) {
  if (!j.contains("runs")) {
    if (const json& charts = j.at("charts"); !charts.is_null()) {
      session.runs.push_back(runOfCharts(charts, session));
      session.chosenRun = 1;
    }
    return;
  }
  int last = 0;
  for (const json& run : j.at("runs")) {
    session.runs.push_back(runFromJson(run));
    const int number = session.runs.back().number;
    if (number <= last)
      throw Error("These are not runs",
                  "run " + std::to_string(number) + " follows run " + std::to_string(last),
                  "Open another session, or an autosave");
    last = number;
  }
  session.chosenRun = countAt<int>(j, "chosenRun");
}

}  // namespace

LoadedSession loadSession(const fs::path& file, const Progress& progress, bool images) {
  const std::string problem = "Cannot open the session " + file.string();
  const std::string remedy = "Open a file that Save session wrote";
  const json j = parseDocument(readDocument(file, progress), problem, remedy);
  if (!j.is_object() || j.value("format", json()) != "spokelab-session")
    throw Error(problem, "it is not a session of this program", remedy);
  try {
    LoadedSession loaded;
    loaded.version = j.at("version").get<std::string>();
    const int format = countAt<int>(j, "formatVersion", std::numeric_limits<int>::min());
    if (format > sessionFormatVersion)
      throw Error(problem,
                  "Spokelab " + loaded.version + " wrote it, in format " + std::to_string(format) +
                      "; this version reads formats up to " + std::to_string(sessionFormatVersion),
                  "Open it with that version or a newer one; the file was not changed");
    if (format < 1) throw Error(problem, "its format has no number", "Open another session");
    loaded.saved = j.at("saved").get<std::string>();
    const fs::path folder = fs::absolute(file).parent_path();
    SavedSession& s = loaded.session;
    if (!j.at("scan").is_null()) s.scan = scanOf(j.at("scan"), folder);
    s.options = j.at("options").get<Texts>();
    const json& results = j.at("results");
    for (std::size_t i = 0; i < results.size(); ++i) {
      progress.report(double(i) / double(results.size()), "reading results");
      s.results.push_back(resultOf(results[i], folder, images, loaded.problems, progress));
    }
    s.shown = countAt<int>(j, "shown", std::numeric_limits<int>::min());  // negative: none
    s.reference = countAt<int>(j, "reference", std::numeric_limits<int>::min());
    s.pinned = j.at("pinned").get<bool>();
    s.view = j.at("view").get<Texts>();
    readRuns(j, s);
    return loaded;
  } catch (const json::exception& e) {
    throw Error(problem, std::string("something is missing or of the wrong kind: ") + e.what(),
                "Open another session, or an autosave");
  }
}

}  // namespace spokelab
