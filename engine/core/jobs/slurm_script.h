// The script of a Slurm job array that runs a job in shards.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

// command: the job's, in words for a shell; outputs: its files, which the shards write as
// shardFile() names them. Throws Error where `shards` is out of range.
std::string slurmArrayScript(const std::string& program, const std::string& command,
                             const std::vector<std::string>& outputs, int shards);

}  // namespace spokelab
