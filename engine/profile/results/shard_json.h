// The part "shard" of a document that one share of a job wrote: which share, and of which job. The
// merge (profile/shards) reads it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/jobs/shard.h"

namespace spokelab {

struct ShardRecord {
  Shard shard;
  nlohmann::json job;               // "command", and all that is the same in every share of it
  std::vector<std::string> cases;   // names of all of the job's, in its order
  std::vector<std::size_t> places;  // of a study: StudyResult::places
  std::string command;              // the share's command line
};

nlohmann::json shardToJson(const ShardRecord& record);
// Throws Error if the part is of another kind or of a newer version; nlohmann::json::exception.
ShardRecord shardFromJson(const nlohmann::json& json);

}  // namespace spokelab
