#include "app/cli/shard_arguments.h"

#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/jobs/slurm_script.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

std::string without(std::string command, const std::string& option, const std::string& value) {
  const std::string apart = ' ' + option + ' ' + shellWord(value),
                    joint = ' ' + shellWord(std::string(option).append("=").append(value));
  for (const std::string& part : {apart, joint})
    if (const std::size_t at = command.find(part); at != std::string::npos) command.erase(at, part.size());
  return command;
}

}  // namespace

void ShardArguments::addTo(CLI::App& app) {
  auto* const shard =
      app.add_option("--shard", share_,
                     "Run this share of the cases alone: 3/16, or slurm in a job array; 'merge' puts the "
                     "shares together. Outputs get its name: sweep.3-of-16.json")
          ->type_name("I/N")
          ->group("Shares");
  auto* const shards = app.add_option("--shards", shards_, "Number of shares in the script of --slurm")
                           ->type_name("N")
                           ->check(CLI::Range(1, maxShards).description(""))
                           ->group("Shares");
  app.add_option("--slurm", script_, "Run nothing; write the script of a Slurm job array to FILE")
      ->type_name("FILE")
      ->needs(shards)
      ->excludes(shard)
      ->group("Shares");
}

Shard ShardArguments::shard() const {
  return share_.empty() ? Shard{} : shardFromText(share_);
}

void ShardArguments::writeScript(CommandContext& context, const std::vector<std::string>& outputs) const {
  const std::string count = std::to_string(shards_);
  const std::string command = without(without(context.commandLine, "--slurm", script_), "--shards", count);
  writeFileAtomically(script_, slurmArrayScript(context.hooks.program, command, outputs, shards_));
  context.say(row("written", script_));
  context.say(row("submit", "sbatch " + shellWord(script_)));
}

}  // namespace spokelab::cli
