// A folder whose files appear together: written in a hidden folder beside it, then renamed.
#pragma once

#include <filesystem>

namespace spokelab {

class StagedFolder {
 public:
  // Throws Error where the folder cannot be made, or `target` is a file.
  explicit StagedFolder(std::filesystem::path target);
  ~StagedFolder();  // without commit(): nothing is left
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return stage_; }  // write here
  // The whole folder where the target is new; file by file into one that exists (others in it
  // stay).
  void commit();

 private:
  std::filesystem::path target_, stage_;
};

}  // namespace spokelab
