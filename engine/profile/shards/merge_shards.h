// Merges the documents that the shards of one sweep, study or suite wrote (--shard 3/16). Cases
// have the order of an unsharded run; each names the machine that ran it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace spokelab {

struct ShardDocument {
  std::string name;  // the file, for messages
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
  std::vector<std::string> commands;  // command lines that run only the missing cases
  std::vector<std::string> machines;  // hosts, each once
};

// Throws Error where a document comes from no shard, was stopped, is given twice, or differs from
// the first one in job, version or number of shards.
MergedShards mergeShards(const std::vector<ShardDocument>& documents);

}  // namespace spokelab
