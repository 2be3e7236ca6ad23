#include "engine/profile/saved_session.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/profile/results.h"
#include "engine/profile/results_read.h"
#include "engine/scan/write_image.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double numbersShare = 0.1;  // of the progress bar; images take the rest

json scanToJson(const SavedScan& scan, const fs::path& folder) {
  json j{{"name", scan.name},
         {"file", scan.file},
         {"fingerprint", scan.fingerprint},
         {"overrides", scan.overrides},
         {"simulation", scan.simulation}};
  if (scan.file.empty() || scan.file == "demo") return j;
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

}  // namespace

fs::path sessionImages(const fs::path& file) {
  return file.parent_path() / (file.stem().string() + ".spokelab-images");
}

std::string imageFingerprint(const Image& image) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](std::uint64_t value) { hash = ((hash ^ value) * prime) ^ (hash >> 29); };
  add(std::uint64_t(image.frames));
  for (const std::int64_t n : image.size) add(std::uint64_t(n));
  for (const cfloat& value : image.data) {
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&bits, &value, sizeof bits);
    add(bits);
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

SessionWriter::SessionWriter(const fs::path& file, std::int64_t largestImage)
    : file_(fs::absolute(file)), largestImage_(largestImage) {
  removeAbandoned(file_.parent_path(), file_);
}

void SessionWriter::save(const SavedSession& session, const Progress& progress) {
  write(session, true, progress);
}

void SessionWriter::saveNumbersFirst(const SavedSession& session, const Progress& progress) {
  write(session, false, progress.part(0, numbersShare));
  write(session, true, progress.part(numbersShare, 1));
}

// The name of the image's file, or "" where it is not (yet) kept.
std::string SessionWriter::keep(const std::shared_ptr<const Image>& image, bool write,
                                const Progress& progress) {
  if (!image) return {};
  const auto known = written_.find(image.get());
  const bool same = known != written_.end() && known->second.image.lock() == image;
  std::error_code failed;
  const fs::path folder = sessionImages(file_);
  if (same && fs::exists(folder / known->second.name, failed)) return known->second.name;
  const auto bytes = std::int64_t(image->data.size() * sizeof(cfloat));
  if (!write || (largestImage_ > 0 && bytes > largestImage_)) return {};
  progress.report(-1, "writing images");
  std::string name = imageFingerprint(*image) + ".npy";
  if (!fs::exists(folder / name, failed)) {
    fs::create_directories(folder, failed);
    writeImage(*image, folder / name, {}, progress);
    fs::remove(folder / (name + ".json"), failed);  // the session itself says where the image lies
  }
  written_[image.get()] = {image, name};
  return name;
}

void SessionWriter::write(const SavedSession& session, bool images, const Progress& progress) {
  std::vector<std::string> names;
  json results = json::array();
  for (const SavedResult& entry : session.results) {
    progress.checkpoint();
    json j{{"id", entry.id}, {"scan", entry.scan}, {"ofScan", entry.ofScan}};
    j["reconstruction"] = toJson(*entry.result);
    j["reconstruction"].erase("image");
    const std::string name = keep(entry.result->image, images, progress);
    if (!name.empty()) names.push_back(name);
    if (entry.result->image)
      j["image"] = imageToJson(*entry.result->image,
                               name.empty() ? "" : (sessionImages(file_).filename() / name).generic_string());
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
         {"view", session.view}};
  j["charts"] =
      session.charts ? json{{"accuracy", session.chartAccuracy}, {"tune", toJson(*session.charts)}} : json();
  writeFileAtomically(file_, j.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
  if (images) removeUnnamed(names);
}

// Images that this session had before, and temporaries of writers that were killed.
void SessionWriter::removeUnnamed(const std::vector<std::string>& names) const {
  const std::set<std::string> wanted(names.begin(), names.end());
  const fs::path folder = sessionImages(file_);
  std::error_code failed;
  std::vector<fs::path> unnamed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (!wanted.contains(entry.path().filename().string())) unnamed.push_back(entry.path());
  for (const fs::path& file : unnamed) fs::remove(file, failed);
  if (wanted.empty()) fs::remove(folder, failed);
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
