// The file behind Wisdom: {"format": "spokelab-wisdom", "version": 1, "entries": {key: candidate}}.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/core/progress.h"

namespace spokelab {

using WisdomEntries = std::map<std::string, std::string>;  // key -> JSON of the candidate

enum class WisdomFileState {
  good,        // also a missing or empty file: wisdom will be written there
  damaged,     // wisdom, damaged or of another version: may be set aside
  unreadable,  // cannot be read: left alone
  notWisdom,   // another file, a folder, a device: left alone
};

struct WisdomContent {
  WisdomEntries entries;
  WisdomFileState state = WisdomFileState::good;
  std::string problem;  // the reason, if it is not good

  bool usable() const { return state == WisdomFileState::good; }
};

// Reads the file; never throws.
WisdomContent readWisdomFile(const std::filesystem::path& file);
// Reads a file to import, which may be a pipe. Throws Error if it is missing, empty or not usable.
WisdomEntries readForeignWisdom(const std::filesystem::path& file, const Progress& progress = {});
// The program's wisdom is readable by its user only; an exported file is for others.
enum class WisdomUse { kept, exported };
// Writes atomically; throws Error.
void writeWisdomFile(const std::filesystem::path& file, const WisdomEntries& entries, WisdomUse use);

// Holds an exclusive lock on "<file>.lock" for its life, between processes and threads. Throws
// Error if the lock is not free within a few seconds.
class WisdomLock {
 public:
  explicit WisdomLock(const std::filesystem::path& file);
  ~WisdomLock();
  WisdomLock(const WisdomLock&) = delete;
  WisdomLock& operator=(const WisdomLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace spokelab
