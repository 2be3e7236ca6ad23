// Files appear whole or not at all: written beside the target, flushed, then renamed over it. Where
// the target is a link, the file that it leads to is replaced; devices and pipes are written to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/output/job_files.h"
#include "engine/core/output/write_target.h"

namespace spokelab {

// Write to path() and call commit(). Without commit() (an exception, a cancel) the temporary is
// removed and an earlier file at the target stays untouched. Temporaries that killed writers left
// in the folder are removed. Throws Error (no folder, no permission, disk full, a file that may not
// be replaced: job_files.h). Who may read what is written: everyone whom the user's mask allows, or
// the user alone.
enum class FileReaders { everyone, owner };

class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target, OutputKind kind = OutputKind::result);
  AtomicFile(const std::filesystem::path& target, OutputKind kind, FileReaders readers);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Unique, with the target's extension, in its folder (of a device or pipe: where temporary files
  // are).
  const std::filesystem::path& path() const { return temporary_; }
  // fsync, rename; progress: of waiting for a pipe's reader.
  void commit(const Progress& progress = {});

 private:
  WriteTarget target_;
  OutputKind kind_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

void writeFileAtomically(const std::filesystem::path& target, std::string_view content,
                         const Progress& progress = {});
void writeFileAtomically(const std::filesystem::path& target, std::string_view content,
                         const Progress& progress, OutputKind kind, FileReaders readers);
// The same for a file that the program keeps for this user alone.
void writeKeptFile(const std::filesystem::path& target, std::string_view content);

}  // namespace spokelab
