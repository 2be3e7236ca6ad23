// Writes a folder whose files appear together: in a hidden folder first, which commit() renames.
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
  // Moves the files into place: a new target at once, an existing one file by file, where other
  // files are kept. Throws Error if a file may not be replaced or the system refuses.
  void commit();

 private:
  std::filesystem::path target_, stage_;
};

}  // namespace spokelab
