#include "engine/profile/results/shard_json.h"

#include "engine/core/documents/document_numbers.h"
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
  if (countAt<int>(j, "formatVersion") > formatVersion)
    throw Error("This is not a share of a job", "a newer version of the program wrote it",
                "Install that version");
  ShardRecord record;
  record.shard = shardFromText(std::to_string(countAt<int>(j, "index")) + '/' +
                               std::to_string(countAt<int>(j, "count")));
  record.job = j.at("job");
  record.cases = j.at("cases").get<std::vector<std::string>>();
  record.places = countsAt<std::size_t>(j, "places", 0, std::size_t(INT64_MAX));
  record.command = j.at("command").get<std::string>();
  return record;
}

}  // namespace spokelab
