#include "engine/profile/shards/merge_shards.h"

#include <algorithm>
#include <set>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite_claims.h"
#include "engine/profile/suite/suite_table.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* problem = "The shards cannot be merged";

// One shard's document: `record` says its share and job, `content` its cases in order.
struct Part {
  std::string file;  // name, for messages
  json content;
  ShardRecord record;
};

Part partOf(const ShardDocument& document) {
  const char* const remedy = "Name the files that --shard wrote";
  if (!document.content.is_object() || !document.content.contains("shard"))
    throw Error(problem, document.name + " is not a share of a job", remedy);
  try {
    Part part{document.name, document.content, shardFromJson(document.content.at("shard"))};
    for (const char* name : {"host", "cpu", "threads", "plans"})
      part.content.at("provenance").at("machine").at(name);
    return part;
  } catch (const json::exception& e) {
    throw Error(problem, document.name + " is damaged: " + e.what(), remedy);
  }
}

// The first difference of two jobs: "options/accuracy is 0.001 and 0.0001".
std::string firstDifference(const json& a, const json& b) {
  const json patch = json::diff(a, b);
  if (patch.empty()) return {};
  const std::string path = patch.front().at("path").get<std::string>();
  const json::json_pointer place(path);
  const auto text = [&](const json& j) { return j.contains(place) ? j.at(place).dump() : "nothing"; };
  constexpr std::size_t longest = 60;
  return path.substr(1) + " is " + text(a).substr(0, longest) + " and " + text(b).substr(0, longest);
}

void requireSameJob(const Part& first, const Part& other) {
  const auto refuse = [&](const std::string& why, const std::string& remedy) {
    throw Error(problem, first.file + " and " + other.file + ' ' + why, remedy);
  };
  const char* const another = "Merge the shards of one job alone";
  for (const char* key : {"version", "commit"}) {
    const json &a = first.content["provenance"].value(key, json()),
               &b = other.content["provenance"].value(key, json());
    if (a != b)
      refuse("are of other versions of the program: " + a.dump() + " and " + b.dump(),
             "Run the older ones again with the newer version");
  }
  if (first.record.shard.count != other.record.shard.count)
    refuse("are shards of other divisions: " + shardText(first.record.shard) + " and " +
               shardText(other.record.shard),
           another);
  if (const std::string where = firstDifference(first.record.job, other.record.job); !where.empty())
    refuse("are of other jobs: " + where, another);
  if (first.record.cases != other.record.cases)
    refuse("are of other jobs: their cases are not the same, as machines with and without a GPU make them",
           "Name the backend: --backend cpu");
  if (first.record.shard == other.record.shard)
    refuse("are the same shard, " + shardText(other.record.shard), "Leave one of them out");
}

// What makes times comparable: processor, threads, and the key of plans (cpuFingerprint).
json machineOf(const Part& part) {
  const json& machine = part.content.at("provenance").at("machine");
  return {machine.at("cpu"), machine.at("threads"), machine.at("plans")};
}

class Merge {
 public:
  explicit Merge(std::vector<Part> parts) : parts_(std::move(parts)) {
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.record.shard.index < b.record.shard.index; });
    record_ = parts_.front().record;
    merged_.command = record_.job.at("command").get<std::string>();
    merged_.cases = record_.cases.size();
    has_.assign(merged_.cases, false);
  }

  MergedShards run() {
    if (merged_.command == "sweep")
      sweep();
    else if (merged_.command == "study")
      study();
    else if (merged_.command == "suite")
      suite();
    else
      throw Error(problem, "jobs of the command " + merged_.command + " are not known",
                  "Merge them with the version of the program that wrote them");
    nameMachines();
    nameMissing();
    return std::move(merged_);
  }

 private:
  [[noreturn]] static void damaged(const Part& part) {
    throw Error(problem, part.file + " does not hold the cases of its share", "Run that shard again");
  }

  // The cases of a part's share, in order.
  std::vector<std::size_t> ownedBy(const Part& part) const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < merged_.cases; ++i)
      if (part.record.shard.owns(i)) indices.push_back(i);
    return indices;
  }

  void sweep() {
    std::vector<Candidate> candidates(merged_.cases);
    std::vector<int> shards(merged_.cases);
    TuneResult joined;
    for (const Part& part : parts_) {
      const TuneResult result = tuneResultFromJson(part.content.at("sweep"));
      const std::vector<std::size_t> cases = ownedBy(part);
      if (result.candidates.size() != cases.size()) damaged(part);
      for (std::size_t k = 0; k < cases.size(); ++k) {
        candidates[cases[k]] = result.candidates[k];
        shards[cases[k]] = part.record.shard.index;
        has_[cases[k]] = true;
      }
      joined.workload = result.workload;
      joined.seconds += result.seconds;
      if (result.load.isBusy() || joined.load.processors == 0) joined.load = result.load;
    }
    std::vector<int> origins;
    for (std::size_t i = 0; i < merged_.cases; ++i) {
      if (!has_[i]) continue;
      candidates[i].outlook.clear();
      joined.candidates.push_back(std::move(candidates[i]));
      origins.push_back(shards[i]);
    }
    TuneRequest request;
    request.workload = joined.workload;
    request.options.accuracy = numberAt(record_.job, "accuracy", notNegative);
    joined.best = fastest(joined, request);
    joined.reason = "No plan that was timed meets the accuracy";
    if (joined.best >= 0) {
      joined.candidates[std::size_t(joined.best)].outlook = outlookFor(joined, request);
      joined.behind = behindOf(joined, request);
      joined.reason = reasonFor(joined, request);
    }
    std::set<std::string> kinds;
    for (const Part& part : parts_) kinds.insert(machineOf(part).dump());
    if (kinds.size() > 1)
      joined.reason += ". Times are of " + std::to_string(kinds.size()) +
                       " different machines: compare times of one machine only";
    merged_.csv = toCsv(joined);
    merged_.document = parts_.front().content;
    for (const char* part : {"provenance", "shard"}) merged_.document.erase(part);
    merged_.document["sweep"] = toJson(joined);
    for (std::size_t i = 0; i < origins.size(); ++i)
      merged_.document["sweep"]["candidates"][i]["shard"] = origins[i];
  }

  void study() {
    struct Placed {
      std::size_t place;
      int shard;
      StudyRow row;
    };
    std::vector<Placed> rows;
    StudyResult joined;
    for (const Part& part : parts_) {
      StudyResult result = studyFromJson(part.content.at("study"));
      if (result.rows.size() != part.record.places.size() || result.cancelled) damaged(part);
      for (const std::size_t i : ownedBy(part)) has_[i] = true;
      for (std::size_t i = 0; i < result.rows.size(); ++i)
        rows.push_back({part.record.places[i], part.record.shard.index, std::move(result.rows[i])});
      result.rows.clear();
      const MachineLoad load = result.load;
      if (&part == &parts_.front()) joined = std::move(result);
      if (load.isBusy()) joined.load = load;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Placed& a, const Placed& b) { return a.place < b.place; });
    std::vector<int> origins;
    for (Placed& placed : rows) {
      joined.rows.push_back(std::move(placed.row));
      origins.push_back(placed.shard);
    }
    merged_.csv = toCsv(joined);
    merged_.document["study"] = toJson(joined);
    for (std::size_t i = 0; i < origins.size(); ++i)
      merged_.document["study"]["rows"][i]["shard"] = origins[i];
  }

  void suite() {
    std::vector<json> cases(merged_.cases);
    for (const Part& part : parts_)
      for (const json& c : part.content.at("cases")) {
        const auto index = std::size_t(countAt<std::int64_t>(c, "index"));
        if (index >= merged_.cases || !part.record.shard.owns(index)) damaged(part);
        cases[index] = c;
        cases[index]["shard"] = part.record.shard.index;
      }
    SuiteTable table;
    json finished = json::array();
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].is_null()) continue;
      has_[i] = true;
      table.add(cases[i].at("name").get<std::string>(), cases[i].value("csv", std::string()));
      for (const char* key : {"csv", "index"}) cases[i].erase(key);
      finished.push_back(std::move(cases[i]));
    }
    merged_.csv = table.text();
    merged_.document = parts_.front().content;
    for (const char* key : {"provenance", "shard"}) merged_.document.erase(key);
    const std::vector<ClaimResult> judged = claimsOfCases(finished);
    if (!judged.empty()) merged_.document["claims"] = claimsToJson(judged);
    merged_.document["cases"] = std::move(finished);
  }

  void nameMachines() {
    for (const Part& part : parts_) {
      const json& provenance = part.content.at("provenance");
      const std::string host = provenance.at("machine").at("host").get<std::string>();
      if (std::find(merged_.machines.begin(), merged_.machines.end(), host) == merged_.machines.end())
        merged_.machines.push_back(host);
      merged_.document["shards"].push_back({{"index", part.record.shard.index},
                                            {"count", part.record.shard.count},
                                            {"provenance", provenance}});
    }
  }

  void nameMissing() {
    std::set<int> shards;
    for (std::size_t i = 0; i < merged_.cases; ++i) {
      if (has_[i]) continue;
      merged_.missing.push_back(record_.cases[i]);
      shards.insert(int(i % std::size_t(record_.shard.count)) + 1);
    }
    for (const int index : shards)
      merged_.commands.push_back(commandOfShard(record_.command, {index, record_.shard.count}));
  }

  std::vector<Part> parts_;  // by index of the shard
  ShardRecord record_;       // the first part's: job and cases are the same in all
  std::vector<bool> has_;    // [case of the whole job]: a part has it; set by sweep, study or suite
  MergedShards merged_;
};

}  // namespace

MergedShards mergeShards(const std::vector<ShardDocument>& documents) {
  if (documents.empty()) throw Error(problem, "none is named", "Name the files that --shard wrote");
  std::vector<Part> parts;
  for (const ShardDocument& document : documents) {
    parts.push_back(partOf(document));
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) requireSameJob(parts[i], parts.back());
  }
  try {
    return Merge(std::move(parts)).run();
  } catch (const json::exception& e) {
    throw Error(problem, std::string("a document is damaged: ") + e.what(), "Run its shard again");
  }
}

}  // namespace spokelab
