#include "engine/recon/job/job_history.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/output/temporary_name.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {
namespace {

using json = nlohmann::json;

constexpr const char* format = "spokelab-jobs";
constexpr std::size_t maxEntries = 200;
constexpr auto ownerOnly = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
constexpr double sameDistance = 0.1;  // jobs so alike update one entry
constexpr double newestWeight = 0.5;  // of an entry that is updated
constexpr double maxSeconds = 1e6;    // of a stage; a longer time is a damaged entry

bool isTime(double seconds) {
  return std::isfinite(seconds) && seconds >= 0 && seconds < maxSeconds;
}

json toJson(const JobWork& work) {
  return {{"kind", work.kind},           {"samples", work.samples}, {"pixels", work.pixels},
          {"mapPixels", work.mapPixels}, {"coils", work.coils},     {"iterations", work.iterations}};
}

JobWork workFrom(const json& j) {
  JobWork work;
  work.kind = j.at("kind").get<std::string>();
  for (const auto& [name, value] : {std::pair<const char*, double*>{"samples", &work.samples},
                                    {"pixels", &work.pixels},
                                    {"mapPixels", &work.mapPixels},
                                    {"coils", &work.coils},
                                    {"iterations", &work.iterations}})
    *value = std::max(0.0, numberAt(j, name));
  return work;
}

}  // namespace

JobHistory::JobHistory(std::filesystem::path file) : file_(std::move(file)) {
}

JobHistory::JobHistory(const Wisdom* wisdom) {
  if (wisdom && !wisdom->file().empty()) file_ = wisdom->file().string() + ".jobs";
}

std::vector<JobHistory::Entry> JobHistory::read() const {
  std::vector<Entry> entries;
  std::error_code failed;
  if (file_.empty() || !std::filesystem::is_regular_file(file_, failed)) return entries;
  try {
    const json document = parseDocument(readDocument(file_), "", "");
    if (document.at("format") != format) return entries;
    for (const json& j : document.at("jobs")) {
      try {
        Entry entry{workFrom(j.at("work")), {}};
        for (std::size_t s = 0; s < jobStageCount; ++s) {
          const double seconds = numberOr(j.at("seconds"), std::string(jobStageNames[s]).c_str(), 0);
          entry.account.seconds[s] = isTime(seconds) ? seconds : 0;
        }
        entries.push_back(std::move(entry));
      } catch (const json::exception&) {  // skip a damaged entry
      }
    }
  } catch (const Error&) {
  } catch (const json::exception&) {
  }
  return entries;
}

// Replaces the file whole by a rename, without waiting for the disk, which a small job would feel.
void JobHistory::write(const std::string& text) const {
  const std::filesystem::path temporary = temporaryName(file_.parent_path(), file_.filename());
  std::error_code failed;
  std::ofstream out(temporary);
  std::filesystem::permissions(temporary, ownerOnly, failed);  // before there is anything to read
  const bool written = !failed && (out << text << '\n').flush().good();
  if (written) std::filesystem::rename(temporary, file_, failed);
  if (!written || failed) std::filesystem::remove(temporary, failed);
}

JobAccount JobHistory::forecast(const JobWork& work) const {
  JobAccount result;
  const std::vector<Entry> entries = read();
  const Entry* nearest = nullptr;
  double least = HUGE_VAL;
  for (const Entry& entry : entries)  // the newest of equally near entries
    if (const double d = distance(entry.work, work); d <= least && std::isfinite(d)) {
      least = d;
      nearest = &entry;
    }
  if (!nearest) return result;
  for (std::size_t s = 0; s < jobStageCount; ++s) {
    const double before = workOf(JobStage(s), nearest->work), asked = workOf(JobStage(s), work);
    result.seconds[s] = nearest->account.seconds[s] * (before > 0 ? asked / before : 1);
  }
  result.total = result.accounted();
  return result;
}

void JobHistory::keep(const JobWork& work, const JobAccount& account) {
  if (file_.empty()) return;
  try {
    if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path());
    const WisdomLock lock(file_);
    std::vector<Entry> entries = read();  // another process may have added to it
    const auto known = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return distance(entry.work, work) < sameDistance;
    });
    Entry entry{work, account};
    if (known != entries.end()) {
      for (std::size_t s = 0; s < jobStageCount; ++s) {
        const double before = known->account.seconds[s];
        double& seconds = entry.account.seconds[s];
        if (!(seconds > 0))
          seconds = before;
        else if (before > 0)
          seconds = newestWeight * seconds + (1 - newestWeight) * before;
      }
      entries.erase(known);
    }
    entries.push_back(std::move(entry));
    if (entries.size() > maxEntries) entries.erase(entries.begin());
    json jobs = json::array();
    for (const Entry& one : entries) {
      json seconds = json::object();
      for (std::size_t s = 0; s < jobStageCount; ++s)
        if (one.account.seconds[s] > 0) seconds[std::string(jobStageNames[s])] = one.account.seconds[s];
      jobs.push_back({{"work", toJson(one.work)}, {"seconds", seconds}});
    }
    const json document = {{"format", format}, {"version", 1}, {"jobs", jobs}};
    write(document.dump(1, ' ', false, json::error_handler_t::replace));
  } catch (const Error&) {  // a forecast is not worth a job
  } catch (const std::filesystem::filesystem_error&) {
  }
}

std::string forecastText(const JobAccount& forecast) {
  if (!(forecast.total > 0)) return {};
  std::string text = "about " + secondsText(forecast.total) + ": ";
  bool first = true;
  for (std::size_t s = 0; s < jobStageCount; ++s) {
    constexpr double minShare = 0.01;
    if (forecast.seconds[s] < minShare * forecast.total) continue;
    text += (first ? "" : ", ") + std::string(jobStageNames[s]) + ' ' + secondsText(forecast.seconds[s]);
    first = false;
  }
  return text;
}

}  // namespace spokelab
