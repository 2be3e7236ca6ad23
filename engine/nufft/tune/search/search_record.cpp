#include "engine/nufft/tune/search/search_record.h"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* format = "spokelab-searches";
constexpr int formatVersion = 1;
constexpr std::size_t maxSearches = 16;  // the oldest is dropped
constexpr double secondsBetweenSaves = 4;

std::string textOf(const json& j) {
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string hashOf(std::span<const double> numbers) {
  constexpr std::uint64_t start = 14695981039346656037u, prime = 1099511628211u;  // of FNV-1a
  std::uint64_t hash = start;
  for (const double number : numbers) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * prime;
    hash ^= hash >> 32;  // the product moves bits upwards only
  }
  return hashText(hash);
}

// Wisdom's key has only the points' class, but times belong to the very points that were timed.
std::string keyOf(std::span<NufftBackend* const> backends, const TuneRequest& request) {
  return textOf({{"search", Wisdom::key(backends, request)},
                 {"points", {request.points.size(), hashOf(request.points), hashOf(request.weights)}},
                 {"batch", request.problem.batch},
                 {"executions", textOf(workloadToJson(request.workload))},
                 {"trials", request.trials}});
}

std::string proposalOf(const Candidate& c) {
  return textOf({c.backend, nufftOptionsToJson(c.options)});
}

json searchesIn(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return json::array();
  try {
    json document = parseDocument(readDocument(file), "", "");
    if (document.value("format", "") == format && document.value("version", 0) == formatVersion &&
        document.at("searches").is_array())
      return std::move(document.at("searches"));
  } catch (const Error&) {
  } catch (const json::exception&) {
  }
  return json::array();
}

bool isOf(const json& search, const std::string& key) {
  return search.is_object() && search.contains("key") && search["key"] == key;
}

}  // namespace

std::filesystem::path SearchRecord::fileBeside(const std::filesystem::path& wisdomFile) {
  return wisdomFile.empty() ? wisdomFile : std::filesystem::path(wisdomFile.string() + ".searches");
}

SearchRecord::SearchRecord(const Wisdom& wisdom, std::span<NufftBackend* const> backends,
                           const TuneRequest& request)
    : file_(fileBeside(wisdom.file())), needsError_(request.measureError) {
  if (file_.empty()) return;
  key_ = keyOf(backends, request);
  for (const json& search : searchesIn(file_)) {
    if (!isOf(search, key_)) continue;
    try {
      for (const auto& [proposal, candidate] : search.at("timed").items()) {
        Candidate c = candidateOfJson(candidate);
        if (plausible(c) && c.timed()) timed_[proposal] = std::move(c);
      }
    } catch (const Error&) {
    } catch (const json::exception&) {
    }
  }
}

const Candidate* SearchRecord::find(const Candidate& proposed) const {
  if (timed_.empty()) return nullptr;
  const auto found = timed_.find(proposalOf(proposed));
  if (found == timed_.end() || (needsError_ && !found->second.measuredError)) return nullptr;
  return &found->second;
}

void SearchRecord::add(const Candidate& proposed, const Candidate& timed) {
  if (file_.empty() || !timed.timed() || !timed.refused.empty()) return;
  timed_[proposalOf(proposed)] = timed;
  if (now() - saved_ > secondsBetweenSaves) save();
}

void SearchRecord::save() {
  saved_ = now();
  if (!timed_.empty()) write(true);
}

void SearchRecord::drop() {
  std::error_code failed;
  if (std::filesystem::exists(file_, failed)) write(false);
}

void SearchRecord::write(bool keeps) {
  if (file_.empty()) return;
  try {
    if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path());
    const WisdomLock lock(file_);
    json searches = json::array();
    for (const json& search : searchesIn(file_))  // another process may have added to it
      if (!isOf(search, key_)) searches.push_back(search);
    if (keeps) {
      json timed = json::object();
      for (const auto& [proposal, candidate] : timed_) timed[proposal] = candidateToJson(candidate);
      searches.push_back({{"key", key_}, {"timed", std::move(timed)}});
    }
    if (searches.size() > maxSearches) searches.erase(searches.begin());
    writeKeptFile(file_,
                  textOf({{"format", format}, {"version", formatVersion}, {"searches", searches}}) + "\n");
  } catch (const Error&) {
  } catch (const std::filesystem::filesystem_error&) {
  }
}

}  // namespace spokelab
