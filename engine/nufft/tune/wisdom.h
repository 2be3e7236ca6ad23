// Results of tuning, kept on disk: a versioned JSON file, written atomically, merged under a file
// lock so that two processes lose nothing. An entry of another version, fingerprint or problem
// class is not used; a damaged file is set aside, reported, and a new one begun; a file that is not
// wisdom stays as it is.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom_entry.h"
#include "engine/nufft/tune/wisdom_file.h"

namespace spokelab {

class Wisdom {
 public:
  // Reads the file if it is there. `warning()` tells why a file is not used. Throws Error where it
  // is something else than wisdom. Without a file's name, wisdom lasts as long as the object.
  explicit Wisdom(std::filesystem::path file);

  // $SPOKELAB_WISDOM, or spokelab/wisdom.json in the XDG cache; empty where there is no home
  // folder.
  static std::filesystem::path defaultFile();

  // Key: backend fingerprints, problem class (dims, size, precision, batch class, log2 of points,
  // point distribution class), accuracy, direction, fixed options, effort, field.
  static std::string key(std::span<NufftBackend* const> backends, const TuneRequest& request);

  std::optional<Candidate> find(const std::string& key) const;
  // Also writes the file. Never throws where that fails: see warning().
  void remember(const std::string& key, const Candidate& best);
  void forget();
  std::size_t size() const;
  WisdomEntries entries() const;                               // all of them
  const std::filesystem::path& file() const { return file_; }  // empty: none

  // All entries in words; fingerprints: of the backends that are present (fingerprintsOf).
  std::vector<WisdomLine> list(std::span<const std::string> fingerprints) const;
  // These write the wisdom's file or another one. They throw Error, and change nothing, where
  // writing fails or where a file that is read is missing, damaged or of another version.
  WisdomMerge import(const std::filesystem::path& from, WisdomRule rule, const Progress& progress = {});
  WisdomMerge take(const WisdomEntries& theirs, WisdomRule rule);
  std::size_t exportTo(const std::filesystem::path& file) const;  // entries written
  std::size_t forget(std::span<const std::string> keys);          // entries forgotten

  static std::vector<std::string> fingerprintsOf(std::span<NufftBackend* const> backends);
  std::string warning() const;

 private:
  [[noreturn]] void refuse(const WisdomContent& content) const;
  void update(const std::function<void(WisdomEntries&)>& change);

  mutable std::mutex mutex_;
  std::filesystem::path file_;
  std::map<std::string, std::string> entries_;  // key -> JSON of the candidate
  std::string warning_;
};

}  // namespace spokelab
