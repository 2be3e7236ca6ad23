// Reads and writes the key "shard" of a document: it names the share and its job, for the merge
// (profile/shards).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/jobs/shard.h"

namespace spokelab {

struct ShardRecord {
  Shard shard;
  nlohmann::json job;               // "command", and the keys that all shares have in common
  std::vector<std::string> cases;   // names of all cases of the whole job, in its order
  std::vector<std::size_t> places;  // for a study: StudyResult::places; else empty
  std::string command;              // the share's command line
};

nlohmann::json shardToJson(const ShardRecord& record);
// Throws Error if the part is of another kind or of a newer version; nlohmann::json::exception.
ShardRecord shardFromJson(const nlohmann::json& json);

}  // namespace spokelab
