// Keeps the times of exhaustive searches that were stopped by a time limit, a cancel or a kill,
// beside the wisdom, so that the same search can continue.
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
  // The record of one request; empty if the wisdom has no file or the record cannot be read.
  SearchRecord(const Wisdom& wisdom, std::span<NufftBackend* const> backends, const TuneRequest& request);

  static std::filesystem::path fileBeside(const std::filesystem::path& wisdomFile);

  // The timed candidate of a proposal, before a plan resolved its options; null: not timed.
  const Candidate* find(const Candidate& proposed) const;
  // Writes the file every few seconds, so that a kill loses little.
  void add(const Candidate& proposed, const Candidate& timed);
  // These do not throw, because a failure to keep the record must not end a search.
  void save();
  void drop();  // the search has ended

 private:
  void write(bool keeps);

  std::filesystem::path file_;
  std::string key_;
  bool needsError_;
  std::map<std::string, Candidate> timed_;  // by the proposed options
  double saved_ = now();
};

}  // namespace spokelab
