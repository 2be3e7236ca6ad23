#include "engine/core/staged_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/output/temporary_name.h"
#include "engine/core/output/write_error.h"

namespace spokelab {

namespace fs = std::filesystem;

StagedFolder::StagedFolder(fs::path target) : target_(std::move(target)) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/"
  std::error_code ignored;
  const std::string problem = "Cannot write to " + target_.string();
  if (fs::exists(target_, ignored) && !fs::is_directory(target_, ignored))
    throw Error(problem, "it is a file", "Name a folder");
  const fs::path beside = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  const fs::path parent = fs::is_directory(target_, ignored) ? target_ : beside;
  if (!fs::is_directory(parent, ignored))
    throw Error(problem, "the folder " + parent.string() + " does not exist",
                "Create it, or choose another folder");
  removeAbandoned(parent);
  const fs::path stage = temporaryName(parent, target_.filename());
  constexpr mode_t everyone = 0777;  // but for what the user's mask takes away
  if (::mkdir(stage.c_str(), everyone) != 0) throw writeError(target_, errno);
  stage_ = stage;
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
}

void StagedFolder::commit() {
  std::error_code failed;
  if (fs::is_directory(target_, failed)) {
    std::vector<fs::path> names;
    for (fs::directory_iterator entry(stage_, failed), end; !failed && entry != end; entry.increment(failed))
      names.push_back(entry->path().filename());
    for (const fs::path& name : names) requireReplaceable(target_ / name);
    for (const fs::path& name : names)
      if (!failed) fs::rename(stage_ / name, target_ / name, failed);
    if (!failed) fs::remove_all(stage_, failed);
  } else {
    fs::rename(stage_, target_, failed);
  }
  if (failed) throw writeError(target_, failed.value());
  stage_.clear();
}

}  // namespace spokelab
