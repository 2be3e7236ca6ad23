#include "engine/core/jobs/slurm_script.h"

#include "engine/core/error.h"
#include "engine/core/jobs/shard.h"
#include "engine/core/text.h"

namespace spokelab {

std::string slurmArrayScript(const std::string& program, const std::string& command,
                             const std::vector<std::string>& outputs, int shards) {
  const std::string count = std::to_string(shards);
  shardFromText("1/" + count);
  std::string merge;
  for (const std::string& output : outputs) {
    if (!output.ends_with(".json")) continue;
    merge += "#   " + program + " merge";
    for (int i = 1; i <= shards; ++i) merge += ' ' + shellWord(shardFile(output, {i, shards}).string());
    merge += " -o " + shellWord(output) + '\n';
  }
  return "#!/bin/sh\n"
         "#SBATCH --job-name=spokelab\n"
         "#SBATCH --array=1-" +
         count +
         "\n"
         "# Add here what your cluster asks for: --partition, --time, --cpus-per-task, --mem.\n"
         "# Some shards alone: sbatch --array=3,7 and the name of this file.\n"
         "# When all have ended:\n" +
         merge + "exec " + command + " --shard \"$SLURM_ARRAY_TASK_ID/" + count + "\"\n";
}

}  // namespace spokelab
