#include "engine/profile/session/saved_session.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *sessionFormat = "spokelab-session", *sessionKind = "session";

constexpr Whole anyId{std::numeric_limits<int>::min()};  // negative: none

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

template <class F, Either<SavedScan> S>
static void fields(F& f, S& scan) {
  f("name", scan.name);
  f("fingerprint", scan.fingerprint);
  f("overrides", scan.overrides);
  f("simulation", scan.simulation);
  fields(f, scan.separate);
}

template <class F, Either<SavedResult> R>
static void fields(F& f, R& entry) {
  f("id", entry.id);
  f("scan", entry.scan);
  f("ofScan", entry.ofScan);
  f.when(!entry.title.empty(), "title", entry.title);
}

// Image: a description of it, beside its values.
template <class F, Either<Image> I>
static void fields(F& f, I& image) {
  f("frames", image.frames);
  f("size", image.size);
  f("geometry", image.geometry, Through{geometryToJson, geometryFromJson});
  f("name", image.name);
  f("provenance", image.provenance);
}

template <class F, Either<SavedSession> S>
static void fields(F& f, S& session) {
  f("options", session.options);
  f("shown", session.shown, anyId);
  f("reference", session.reference, anyId);
  f("pinned", session.pinned);
  f("view", session.view);
}

namespace {

json scanToJson(const SavedScan& scan, const fs::path& folder) {
  json j = asJson(scan);
  j["file"] = scan.file;
  if (scan.file.empty() || isBuiltIn(scan.file)) return j;
  std::error_code failed;
  const fs::path absolute = fs::absolute(scan.file, failed);
  const fs::path relative = fs::proximate(absolute, folder, failed);
  j["absolute"] = absolute.string();
  j["file"] = failed ? absolute.string() : relative.generic_string();
  return j;
}

SavedScan scanOf(const json& j, const fs::path& folder) {
  SavedScan scan;
  readFields(j, scan);
  scan.file = scanFile(j, folder);
  return scan;
}

// Throws Error where the file is not the image that the session means.
std::shared_ptr<const Image> imageOf(const json& j, const fs::path& folder, const Progress& progress) {
  const fs::path named = j.at("file").get<std::string>();
  const fs::path file = folder / named;
  auto image = std::make_shared<Image>(readImage(file, progress));
  Image meant;
  readFields(j, meant);
  if (image->frames != meant.frames || image->size != meant.size ||
      imageFingerprint(*image) != named.stem().string())
    throw Error("Cannot use " + file.string(), "it is not the image that was saved", "Reconstruct again");
  image->geometry = std::move(meant.geometry);
  image->name = std::move(meant.name);
  image->provenance = std::move(meant.provenance);
  return image;
}

SavedResult resultOf(const json& j, const fs::path& folder, bool images, std::vector<std::string>& problems,
                     const Progress& progress) {
  SavedResult entry;
  readFields(j, entry);
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
  if (!charts.at("accuracy").is_null()) run.accuracy = std::max(0.0, numberAt(charts, "accuracy"));
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
    json j = asJson(entry);
    j["reconstruction"] = toJson(*entry.result);
    j["reconstruction"].erase("image");
    const std::string name = images_.nameOf(entry.result->image);
    if (!name.empty()) names.push_back(name);
    if (entry.result->image) {
      j["image"] = asJson(*entry.result->image);
      j["image"]["file"] = name.empty() ? "" : (images_.folder().filename() / name).generic_string();
    }
    results.push_back(std::move(j));
  }
  json j = asJson(session);
  j.update({{"format", sessionFormat},
            {"formatVersion", sessionFormatVersion},
            {"version", versionText()},
            {"saved", timeNow()},
            {"scan", session.scan ? scanToJson(*session.scan, file_.parent_path()) : json()},
            {"results", std::move(results)},
            {"chosenRun", session.chosenRun},
            {"charts", nullptr}});  // of versions that kept one run
  writeFileAtomically(file_, withRuns(text(j, 1), session.runs, progress));
  images_.removeOthers(names);
}

bool isSession(const fs::path& file) {
  std::error_code failed;
  if (file.extension() == sessionExtension) return fs::is_regular_file(file, failed);
  return file.extension() == ".json" && kindOfRecord(file) == sessionKind;
}

LoadedSession loadSession(const fs::path& file, const Progress& progress, bool images) {
  const std::string problem = "Cannot open the session " + file.string();
  const std::string remedy = "Open a file that Save session wrote";
  const json j = parseDocument(readDocument(file, progress), problem, remedy);
  if (!j.is_object() || j.value("format", json()) != sessionFormat)
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
    readFields(j, s);
    const json& results = j.at("results");
    for (std::size_t i = 0; i < results.size(); ++i) {
      progress.report(double(i) / double(results.size()), "reading results");
      s.results.push_back(resultOf(results[i], folder, images, loaded.problems, progress));
    }
    readRuns(j, s);
    return loaded;
  } catch (const json::exception& e) {
    throw Error(problem, std::string("something is missing or of the wrong kind: ") + e.what(),
                "Open another session, or an autosave");
  }
}

}  // namespace spokelab
