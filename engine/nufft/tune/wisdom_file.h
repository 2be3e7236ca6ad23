// The file behind Wisdom: {"format": "spokelab-wisdom", "version": 1, "entries": {key: candidate}}.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/core/progress.h"

namespace spokelab {

using WisdomEntries = std::map<std::string, std::string>;  // key -> JSON of the candidate

enum class WisdomFileState {
  good,        // also where there is no file, or an empty one: wisdom will be written there
  damaged,     // recognisably wisdom, but damaged or of another version: may be set aside
  unreadable,  // nobody knows what it is: stays as it is
  notWisdom,   // another file, a folder, a device: stays as it is
};

struct WisdomContent {
  WisdomEntries entries;
  WisdomFileState state = WisdomFileState::good;
  std::string problem;  // why it is not good, in words

  bool usable() const { return state == WisdomFileState::good; }
};

// Never throws.
WisdomContent readWisdomFile(const std::filesystem::path& file);
// The same for a file to take wisdom from, which may be a pipe: throws Error where it is missing,
// empty or not usable.
WisdomEntries readForeignWisdom(const std::filesystem::path& file, const Progress& progress = {});
// Wisdom that the program keeps is this user's alone to read; what is exported is for others.
enum class WisdomUse { kept, exported };
// Writes atomically; throws Error.
void writeWisdomFile(const std::filesystem::path& file, const WisdomEntries& entries, WisdomUse use);

// Holds an exclusive lock on "<file>.lock" for its life, between processes and threads. Throws
// Error where the lock cannot be had within a few seconds.
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
