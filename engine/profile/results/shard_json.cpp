#include "engine/profile/results/shard_json.h"

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr int formatVersion = 1;

}  // namespace

nlohmann::json shardToJson(const ShardRecord& record) {
  return {{"formatVersion", formatVersion}, {"index", record.shard.index},
          {"count", record.shard.count},    {"job", record.job},
          {"cases", record.cases},          {"places", record.places},
          {"command", record.command}};
}

ShardRecord shardFromJson(const nlohmann::json& j) {
  if (j.at("formatVersion").get<int>() > formatVersion)
    throw Error("This is not a share of a job", "a newer version of the program wrote it",
                "Install that version");
  ShardRecord record;
  record.shard = shardFromText(std::to_string(j.at("index").get<int>()) + '/' +
                               std::to_string(j.at("count").get<int>()));
  record.job = j.at("job");
  record.cases = j.at("cases").get<std::vector<std::string>>();
  record.places = j.at("places").get<std::vector<std::size_t>>();
  record.command = j.at("command").get<std::string>();
  return record;
}

}  // namespace spokelab
