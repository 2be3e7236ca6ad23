// The file behind Wisdom: {"format": "spokelab-wisdom", "version": 1, "entries": {key: candidate}}.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace spokelab {

using WisdomEntries = std::map<std::string, std::string>;  // key -> JSON of the candidate

struct WisdomContent {
  WisdomEntries entries;
  bool usable = true;   // false: the file is damaged or of another version
  std::string problem;  // why it is not usable, in words
};

// Never throws. Where there is no file: no entries, and usable.
WisdomContent readWisdomFile(const std::filesystem::path& file);
// The same for a file that the user names: throws Error where it is missing or not usable.
WisdomEntries readForeignWisdom(const std::filesystem::path& file);
// Writes atomically; throws Error.
void writeWisdomFile(const std::filesystem::path& file, const WisdomEntries& entries);

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
