// Wisdom of a job on several ranks. One rank of each kind of processor tunes, and rank 0 keeps the
// results in its file, each under its processor's name: later jobs on one of these machines find
// them there. Results that rank 0's file has already are not tuned again.
#pragma once

#include <string>

#include "engine/core/jobs/ranks.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class RankWisdom {
 public:
  // All ranks make one at the same time. file: rank 0's, the others give null; null there: nothing
  // is kept, and rank 0 alone tunes. Throws Error; Cancelled.
  RankWisdom(Ranks& ranks, Backend& backend, Wisdom* file, const Progress& progress);

  bool tunes() const { return tunes_; }  // this rank
  // For the tuning of this rank; null: nothing is kept.
  Wisdom* wisdom() { return file_ ? file_ : tunes_ && keeps_ ? &jobWisdom_ : nullptr; }
  // The results of this rank that rank 0's file lacks; empty on rank 0.
  WisdomEntries found() const;
  // Rank 0 takes another rank's entries; the number of new ones. warning() tells a failed write.
  std::size_t take(const WisdomEntries& entries);

 private:
  Wisdom* file_;
  Wisdom jobWisdom_{std::filesystem::path()};  // of this job
  WisdomEntries firstRankEntries_;             // to rank 0
  bool tunes_ = false, keeps_ = false;
};

}  // namespace spokelab
