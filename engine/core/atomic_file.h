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

// The users who may read the written file: all that the user's mask allows, or the user alone.
enum class FileReaders { everyone, owner };

// Write to path() and call commit(). Without commit() (an exception, a cancel) the temporary is
// removed and an earlier file at the target is kept. Temporaries that killed writers left in the
// folder are removed. Throws Error (no folder, no permission, disk full, a file that may not be
// replaced: job_files.h).
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target, OutputKind kind = OutputKind::result);
  AtomicFile(const std::filesystem::path& target, OutputKind kind, FileReaders readers);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // A unique name with the target's extension, in the target's folder. For a device or pipe it is
  // in the folder of temporary files.
  const std::filesystem::path& path() const { return temporary_; }
  // Flushes the temporary to disk (fsync) and renames it. progress: may cancel the wait for a
  // pipe's reader.
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
