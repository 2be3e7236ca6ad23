#include "engine/profile/results/shard_json.h"

#include "engine/core/documents/fields.h"
#include "engine/profile/results/record_file.h"

namespace spokelab {

template <class F, Either<ShardRecord> R>
static void fields(F& f, R& record) {
  f("index", record.shard.index);
  f("count", record.shard.count);
  f("job", record.job);
  f("cases", record.cases);
  f("places", record.places);
  f("command", record.command);
}

nlohmann::json shardToJson(const ShardRecord& record) {
  return asJson(record);
}

ShardRecord shardFromJson(const nlohmann::json& j) {
  requireKnownVersion(j, "This is not a share of a job");
  ShardRecord record;
  readFields(j, record);
  record.shard = shardFromText(shardText(record.shard));
  return record;
}

}  // namespace spokelab
