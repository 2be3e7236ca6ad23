// Files appear whole or not at all: written beside the target, flushed, then renamed over it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace spokelab {

// Write to path() and call commit(). Without commit() (an exception, a cancel) the temporary is
// removed and an earlier file at the target stays untouched. Throws Error (no folder, no
// permission, disk full).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }  // same folder, unique, same extension
  void commit();                                                    // fsync, rename

 private:
  std::filesystem::path target_, temporary_;
  bool committed_ = false;
};

void writeFileAtomically(const std::filesystem::path& target, std::string_view content);
std::string readFile(const std::filesystem::path& path);  // whole file; throws Error

// Removes what writers of this machine that were killed left half done in a folder; never throws.
// `target`: of this file only; empty: of any. For folders that the program alone writes to, or
// files that it wrote there.
void removeAbandoned(const std::filesystem::path& folder, const std::filesystem::path& target = {});

}  // namespace spokelab
