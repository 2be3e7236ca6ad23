#include "engine/core/staged_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "engine/core/error.h"

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
    throw Error(problem, "the folder " + parent.string() + " does not exist", "Create it, or choose another");
  std::string name = (parent / ("." + target_.filename().string() + "-XXXXXX")).string();
  if (!mkdtemp(name.data())) throw Error(problem, std::strerror(errno), "Choose another folder");
  stage_ = name;
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
}

void StagedFolder::commit() {
  std::error_code failed;
  if (fs::is_directory(target_, failed)) {
    for (const auto& entry : fs::directory_iterator(stage_)) {
      fs::rename(entry.path(), target_ / entry.path().filename(), failed);
      if (failed) break;
    }
    if (!failed) fs::remove_all(stage_, failed);
  } else {
    // mkdtemp's folder is for its owner alone; a report is readable as the user's other folders
    // are.
    const mode_t mask = umask(0);
    umask(mask);
    constexpr mode_t everyone = 0777;
    chmod(stage_.c_str(), everyone & ~mask);
    fs::rename(stage_, target_, failed);
  }
  if (failed) throw Error("Cannot write to " + target_.string(), failed.message(), "Choose another folder");
  stage_.clear();
}

}  // namespace spokelab
