// Results of tuning on disk: a versioned JSON file, written atomically, merged under a file lock so
// that two processes lose nothing. Entries of another version, fingerprint or problem class are not
// used. A damaged file is set aside, reported and replaced. A file that is not wisdom is left
// alone.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/tune/result/candidate.h"
#include "engine/nufft/tune/wisdom_entry.h"
#include "engine/nufft/tune/wisdom_file.h"

namespace spokelab {

class NufftBackend;
struct TuneRequest;

class Wisdom {
 public:
  // Reads the file if it exists; `warning()` says why it is not used. Throws Error if it is not
  // wisdom. With an empty name, wisdom lasts as long as the object.
  explicit Wisdom(std::filesystem::path file);

  // $SPOKELAB_WISDOM, or spokelab/wisdom.json in the XDG cache; empty without a home folder.
  static std::filesystem::path defaultFile();

  // Key: backend fingerprints, problem class (dims, size, precision, batch class, log2 of points,
  // point distribution class), accuracy, direction, fixed options, effort, field.
  static std::string key(std::span<NufftBackend* const> backends, const TuneRequest& request);

  std::optional<Candidate> find(const std::string& key) const;
  // Adds the entry and writes the file. A failure to write does not throw: see warning().
  void remember(const std::string& key, const Candidate& best);
  void forget();
  std::size_t size() const;
  WisdomEntries entries() const;                               // all of them
  const std::filesystem::path& file() const { return file_; }  // empty: none

  // All entries in words. fingerprints: of the present backends (fingerprintsOf).
  std::vector<WisdomLine> list(std::span<const std::string> fingerprints) const;
  // These write this wisdom's file or another one. If writing fails, or a file to read is missing,
  // damaged or of another version, they throw Error and change nothing.
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
