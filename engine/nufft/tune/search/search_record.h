// What exhaustive searches have timed that did not come to their end (a time limit, a cancel, a kill): kept beside the
// wisdom, so that the same search goes on where it stopped.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/core/stage_timer.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

class SearchRecord {
 public:
  // Of one request, by its very points, repeats and backends. Wisdom without a file: nothing is found or kept. A file
  // that cannot be read counts as empty.
  SearchRecord(const Wisdom& wisdom, std::span<NufftBackend* const> backends, const TuneRequest& request);

  static std::filesystem::path fileBeside(const std::filesystem::path& wisdomFile);

  // What was timed for a candidate as it is proposed, before a plan has resolved its options; null: nothing.
  const Candidate* find(const Candidate& proposed) const;
  // Writes the file now and then: a kill loses a few seconds.
  void add(const Candidate& proposed, const Candidate& timed);
  // Neither throws: a record is not worth a search.
  void save();
  void drop();  // once the search has come to its end

 private:
  void write(bool keeps);

  std::filesystem::path file_;
  std::string key_;
  bool needsError_;
  std::map<std::string, Candidate> timed_;  // by what was proposed
  double saved_ = now();
};

}  // namespace spokelab
