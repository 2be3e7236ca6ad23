// A share of a job that is divided over processes which know nothing of each other (the tasks of a
// batch system): shard i of n runs each n-th case, beginning with the i-th.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace spokelab {

struct Shard {
  int index = 1, count = 1;  // index: 1 ... count

  bool isAll() const { return count == 1; }
  bool owns(std::size_t item) const { return item % std::size_t(count) == std::size_t(index - 1); }
  bool operator==(const Shard&) const = default;
};

inline constexpr int maxShards = 10000;

// "3/16", or "slurm": the task of a Slurm array that this process is. Throws Error.
Shard shardFromText(const std::string& text);
// By SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX and _STEP; `variable` gives an environment variable,
// or null. Throws Error where they are missing, or where the array leaves tasks out: its count
// would then divide the job in another way than the whole array's.
Shard shardFromSlurm(const std::function<const char*(const char*)>& variable);

std::string shardText(const Shard& shard);  // "3/16"
// "sweep.json" becomes "sweep.3-of-16.json"; the whole job, an empty name and "-" stay.
std::filesystem::path shardFile(const std::filesystem::path& file, const Shard& shard);
// Changes the command line of one shard into the command line of another shard of the same job.
std::string commandOfShard(const std::string& command, const Shard& shard);

}  // namespace spokelab
