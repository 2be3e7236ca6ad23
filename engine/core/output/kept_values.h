// Values that took long to make, kept in a folder for later starts of the program: density weights,
// point spread functions ([multicore-nufft] V.E). A file has a line that describes it, with a hash
// of the numbers, then the numbers. It is written under a temporary name, readable by its user
// only, and renamed. Numbers are used only if they have this hash; a damaged file is removed. Where
// the folder would exceed its limit, the values used longest ago are removed. Several processes may
// use one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/output/value_hash.h"

namespace spokelab {

struct KeptLimits {
  std::uint64_t bytes = 2'000'000'000;  // of all files
  double minSeconds = 0.1;              // values that were made faster are not kept
};

struct KeptItem {
  std::string what;     // "density weights: Pipe-Menon, 20 iterations"
  std::string subject;  // hash of the points that they belong to
  double seconds = 0;   // that making them took
  std::uint64_t bytes = 0;
  std::filesystem::path file;
  std::filesystem::file_time_type used;
};

// Values that were taken from the folder instead of being made.
struct KeptUse {
  std::string what;
  double savedSeconds = 0;  // the time to make them, less the time to read them
};

// Nothing here throws: a folder that cannot be used keeps nothing.
class KeptValues {
 public:
  // Without a folder's name nothing is kept.
  explicit KeptValues(std::filesystem::path folder, const KeptLimits& limits = {});

  // The folder beside a file of wisdom; empty: none.
  static std::filesystem::path folderBeside(const std::filesystem::path& wisdom);

  // Belongs to all that is kept from now on.
  void setSubject(const ValueHash& subject);

  // Fills `values`, whose size has to be the kept one; false: nothing was kept, or it is damaged.
  // kind: a word for the file's name.
  template <class T>
  bool take(std::string_view kind, const ValueHash& key, std::span<T> values) {
    return takeBytes(kind, key, std::as_writable_bytes(values));
  }
  // seconds: what it took to make them.
  template <class T>
  void keep(std::string_view kind, const std::string& what, const ValueHash& key, std::span<const T> values,
            double seconds) {
    keepBytes(kind, what, key, std::as_bytes(values), seconds);
  }

  std::vector<KeptItem> list() const;                            // used last first
  std::vector<KeptItem> listOf(const ValueHash& subject) const;  // of these points
  std::size_t clear() const;                                     // number of files removed
  std::vector<KeptUse> uses() const;
  const std::filesystem::path& folder() const { return folder_; }

  // The one of this thread's scope; null: nothing is kept.
  static KeptValues* ofThread();

 private:
  std::filesystem::path fileOf(std::string_view kind, const ValueHash& key) const;
  bool takeBytes(std::string_view kind, const ValueHash& key, std::span<std::byte> values);
  void keepBytes(std::string_view kind, const std::string& what, const ValueHash& key,
                 std::span<const std::byte> values, double seconds);
  bool makeRoom(std::uint64_t bytes) const;

  std::filesystem::path folder_;
  KeptLimits limits_;
  mutable std::mutex mutex_;  // of what follows
  std::string subject_;
  std::vector<KeptUse> uses_;
};

// Lets the work of this thread keep and take values, as long as it lives; null: nothing.
class KeptValuesScope {
 public:
  explicit KeptValuesScope(KeptValues* kept) noexcept;
  ~KeptValuesScope();
  KeptValuesScope(const KeptValuesScope&) = delete;
  KeptValuesScope& operator=(const KeptValuesScope&) = delete;

 private:
  KeptValues* before_;
};

// "density weights: Pipe-Menon, 20 iterations (2.1 s saved), ..."; empty: none were taken.
std::string keptUseText(const std::vector<KeptUse>& uses);
// "density weights: Pipe-Menon, 20 iterations (2.1 s), ..."
std::string keptItemsText(const std::vector<KeptItem>& items);

}  // namespace spokelab
