// Puts together what the shards of one sweep, study or suite wrote (--shard 3/16): cases and their
// order as if the job had run as one, each with the machine that ran it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace spokelab {

struct ShardDocument {
  std::string name;  // of its file, for messages
  nlohmann::json content;
};

struct MergedShards {
  // As the unsharded command writes it, without provenance; and "shards": share, machine, version,
  // time and command line of each.
  nlohmann::json document;
  std::string csv;
  std::string command;  // "sweep", "study", "suite"
  std::size_t cases = 0;
  std::vector<std::string> missing;   // names of cases that no document holds
  std::vector<std::string> commands;  // that run only these
  std::vector<std::string> machines;  // hosts, each once
};

// Throws Error where a document is of no shard, of another job, version or division than the first,
// was stopped, or is there twice.
MergedShards mergeShards(const std::vector<ShardDocument>& documents);

}  // namespace spokelab
