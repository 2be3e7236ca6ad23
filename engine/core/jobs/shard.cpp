#include "engine/core/jobs/shard.h"

#include <charconv>
#include <cstdlib>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr const char* problem = "This is not a share of a job";
constexpr std::string_view option = "--shard";

// The whole text as a number; -1 if it is not a number.
int wholeNumber(std::string_view text) {
  int value = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? value : -1;
}

}  // namespace

Shard shardFromText(const std::string& text) {
  if (text == "slurm") return shardFromSlurm([](const char* name) { return std::getenv(name); });
  const std::size_t slash = text.find('/');
  Shard shard;
  if (slash != std::string::npos) {
    shard.index = wholeNumber(std::string_view(text).substr(0, slash));
    shard.count = wholeNumber(std::string_view(text).substr(slash + 1));
  }
  if (slash == std::string::npos || shard.index < 1 || shard.count < 1 || shard.index > shard.count ||
      shard.count > maxShards)
    throw Error(problem,
                "\"" + text + "\" is not a share such as 3/16 (the third of sixteen), of at most " +
                    std::to_string(maxShards),
                "Write --shard 3/16, or --shard slurm in a job array");
  return shard;
}

Shard shardFromSlurm(const std::function<const char*(const char*)>& variable) {
  const char* const remedy = "Submit an array, or name the share: --shard 3/16";
  const auto number = [&](const char* name, int missing) {
    const char* const text = variable(name);
    if (!text && missing >= 0) return missing;
    const int value = text ? wholeNumber(text) : -1;
    if (value < 0)
      throw Error(problem, std::string(name) + (text ? " is not a number" : " is not set"), remedy);
    return value;
  };
  const int id = number("SLURM_ARRAY_TASK_ID", -1), count = number("SLURM_ARRAY_TASK_COUNT", -1),
            first = number("SLURM_ARRAY_TASK_MIN", 1), step = number("SLURM_ARRAY_TASK_STEP", 1),
            last = number("SLURM_ARRAY_TASK_MAX", first + (count - 1) * step);
  if (step < 1 || id < first || (id - first) % step != 0 || (last - first) / step + 1 != count)
    throw Error(problem,
                "the array leaves tasks out, so that its count of " + std::to_string(count) +
                    " does not say how the job was divided",
                "Name the share: --shard \"$SLURM_ARRAY_TASK_ID/16\"");
  const Shard shard{(id - first) / step + 1, count};
  return shardFromText(shardText(shard));  // the same limits
}

std::string shardText(const Shard& shard) {
  return std::to_string(shard.index) + '/' + std::to_string(shard.count);
}

std::filesystem::path shardFile(const std::filesystem::path& file, const Shard& shard) {
  if (shard.isAll() || file.empty() || file == "-") return file;
  const std::string share = '.' + std::to_string(shard.index) + "-of-" + std::to_string(shard.count);
  return file.parent_path() / (file.stem().string() + share + file.extension().string());
}

std::string commandOfShard(const std::string& command, const Shard& shard) {
  const std::string word = ' ' + std::string(option);
  std::size_t at = command.find(word);
  while (at != std::string::npos &&
         std::string(" =").find(command.c_str()[at + word.size()]) == std::string::npos)
    at = command.find(word, at + 1);
  if (at == std::string::npos) return command + word + ' ' + shardText(shard);
  const std::size_t value = at + word.size() + 1;  // behind "--shard " or "--shard="
  const std::size_t end = command.find(' ', value);
  return command.substr(0, value) + shardText(shard) +
         (end == std::string::npos ? std::string() : command.substr(end));
}

}  // namespace spokelab
