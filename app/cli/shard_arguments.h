// The options --shard, --shards and --slurm of a command whose cases a batch system may divide.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "engine/core/jobs/shard.h"

namespace spokelab::cli {

class ShardArguments {
 public:
  void addTo(CLI::App& app);
  Shard shard() const;  // the whole job without --shard; throws Error for a wrong text
  // The name of an output as the share writes it.
  std::string file(const std::string& name) const { return shardFile(name, shard()).string(); }
  bool wantsScript() const { return !script_.empty(); }
  // Declares the script as the only output: with --slurm the job itself writes nothing.
  void declare(JobFiles& files) const { files.writes(script_); }
  void writeScript(CommandContext& context, const std::vector<std::string>& outputs) const;

 private:
  std::string share_, script_;
  int shards_ = 0;
};

}  // namespace spokelab::cli
