#include "engine/profile/runs/runs_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/core/documents/fields.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"

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

// What is not a number becomes 0: runs are compared, and not-a-number never compares equal.
constexpr NullIs zero{0};

}  // namespace

template <class F, Either<TimedRun> R>
static void fields(F& f, R& run) {
  f("number", run.number, Whole{1});
  f("kind", run.kind, Named{runKindName, runKindFromName});
  f("name", run.name);
  f("scan", run.scan);
  f("fingerprint", run.fingerprint);
  f("accuracy", run.accuracy, zero);
  f("time", run.time);
  f("machine", run.machine);
  f.when(run.load.has_value(), "load", run.load, zero);
  f("seconds", run.seconds, zero);
}

json toJson(const TimedRun& run) {
  json j = asJson(run);
  j.update({{"visible", run.visible}, {"pinned", run.pinned}, {"results", run.results}});
  j["timed"] = packed(toJson(*run.timed));
  return j;
}

TimedRun runFromJson(const json& j) {
  TimedRun run;
  readFields(j, run);
  run.visible = j.at("visible").get<bool>();
  run.pinned = j.at("pinned").get<bool>();
  run.results = countsAt<int>(j, "results");
  run.timed = std::make_shared<const TuneResult>(tuneResultFromJson(unpacked(j.at("timed"))));
  return run;
}

json exportedRuns(const std::vector<TimedRun>& runs) {
  json list = json::array();
  for (const TimedRun& run : runs) {
    list.push_back(asJson(run));
    list.back()["title"] = run.title();
    list.back()["timed"] = toJson(*run.timed);
  }
  json record = recordHead("runs");
  record["runs"] = std::move(list);
  return record;
}

std::string runsText(const std::vector<TimedRun>& runs) {
  return recordText(exportedRuns(runs));
}

std::string toCsv(const std::vector<TimedRun>& runs) {
  std::string csv = "run,title,kind,scan,time,machine,load,workload," + csvColumns() + '\n';
  for (const TimedRun& run : runs)
    csv += csvRows(
        *run.timed,
        {std::to_string(run.number), run.title(), std::string(runKindName(run.kind)), run.scan, run.time,
         run.machine, run.load ? csv::number(*run.load) : std::string(), workloadText(run.timed->workload)});
  return csv;
}

}  // namespace spokelab
