#include "engine/profile/runs/runs_json.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/csv.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/results_read.h"

namespace spokelab {
namespace {

using nlohmann::json;

// A few bytes of a file could stand for gigabytes of plans.
constexpr std::size_t maxUnpackedBytes = std::size_t{256} << 20;

// The values that two objects have in common, objects within them likewise.
json commonOf(const json& a, const json& b) {
  json common = json::object();
  for (const auto& [key, value] : a.items()) {
    const auto other = b.find(key);
    if (other == b.end()) continue;
    if (value.is_object() && other->is_object())
      common[key] = commonOf(value, *other);
    else if (value == *other)
      common[key] = value;
  }
  return common;
}

// The members of an object that `common` lacks.
json restOf(const json& whole, const json& common) {
  json rest = json::object();
  for (const auto& [key, value] : whole.items()) {
    const auto shared = common.find(key);
    if (shared == common.end()) {
      rest[key] = value;
    } else if (value.is_object()) {
      if (json own = restOf(value, *shared); !own.empty()) rest[key] = std::move(own);
    }
  }
  return rest;
}

json packed(json tune) {
  const json& candidates = tune.at("candidates");
  json common = candidates.empty() ? json::object() : candidates.front();
  for (const json& candidate : candidates) common = commonOf(common, candidate);
  json rest = json::array();
  for (const json& candidate : candidates) rest.push_back(restOf(candidate, common));
  tune["candidates"] = std::move(rest);
  tune["common"] = std::move(common);
  return tune;
}

json unpacked(json tune) {
  const json common = tune.at("common");
  json& candidates = tune.at("candidates");
  if (!common.is_object() || !candidates.is_array())
    throw Error("This is not a run", "its plans are not listed", "Sweep again");
  if (candidates.size() * common.dump(-1, ' ', false, json::error_handler_t::replace).size() >
      maxUnpackedBytes)
    throw Error("This is not a run", "its plans would take more than " + bytesText(double(maxUnpackedBytes)),
                "Sweep again");
  for (json& candidate : candidates) {
    json whole = common;
    whole.update(candidate, true);
    candidate = std::move(whole);
  }
  return tune;
}

// A number, or 0 if it is not a number: runs are compared, and not-a-number never compares equal.
double knownNumber(const json& j) {
  const double value = numberFromJson(j);
  return std::isfinite(value) ? value : 0;
}

json describedBy(const TimedRun& run) {
  json j{{"number", run.number}, {"kind", runKindName(run.kind)}, {"name", run.name},
         {"scan", run.scan},     {"accuracy", run.accuracy},      {"fingerprint", run.fingerprint},
         {"time", run.time},     {"machine", run.machine},        {"seconds", run.seconds}};
  if (run.load) j["load"] = *run.load;
  return j;
}

}  // namespace

json toJson(const TimedRun& run) {
  json j = describedBy(run);
  j["visible"] = run.visible;
  j["pinned"] = run.pinned;
  j["results"] = run.results;
  j["timed"] = packed(toJson(*run.timed));
  return j;
}

TimedRun runFromJson(const json& j) {
  TimedRun run;
  run.number = countAt<int>(j, "number", 1);
  run.kind = runKindFromName(j.at("kind").get<std::string>());
  run.name = j.at("name").get<std::string>();
  run.scan = j.at("scan").get<std::string>();
  run.fingerprint = j.at("fingerprint").get<std::string>();
  run.accuracy = std::max(0.0, knownNumber(j.at("accuracy")));
  run.time = j.at("time").get<std::string>();
  run.machine = j.at("machine").get<std::string>();
  if (j.contains("load")) run.load = std::max(0.0, knownNumber(j.at("load")));
  run.seconds = std::max(0.0, knownNumber(j.at("seconds")));
  run.visible = j.at("visible").get<bool>();
  run.pinned = j.at("pinned").get<bool>();
  run.results = countsAt<int>(j, "results");
  run.timed = std::make_shared<const TuneResult>(tuneResultFromJson(unpacked(j.at("timed"))));
  return run;
}

json exportedRuns(const std::vector<TimedRun>& runs) {
  json list = json::array();
  for (const TimedRun& run : runs) {
    list.push_back(describedBy(run));
    list.back()["title"] = run.title();
    list.back()["timed"] = toJson(*run.timed);
  }
  return {{"format", "spokelab-runs"}, {"runs", std::move(list)}};
}

std::string runsText(const std::vector<TimedRun>& runs) {
  return exportedRuns(runs).dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string toCsv(const std::vector<TimedRun>& runs) {
  std::string csv = "run,title,kind,scan,time,machine,load,workload," + csvColumns() + '\n';
  for (const TimedRun& run : runs) {
    std::string own = std::to_string(run.number) + ',';
    for (const std::string& text :
         {run.title(), std::string(runKindName(run.kind)), run.scan, run.time, run.machine,
          run.load ? csv::number(*run.load) : std::string(), workloadText(run.timed->workload)})
      own += csv::quoted(text) + ',';
    csv += csvRows(*run.timed, own);
  }
  return csv;
}

}  // namespace spokelab
