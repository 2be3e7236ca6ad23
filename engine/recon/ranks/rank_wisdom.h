// Wisdom of a job on several ranks. One rank of each kind of processor tunes, and what they find out comes
// into the file of rank 0, each under its own processor's name: a job that runs on one of these machines
// alone knows it. What rank 0's file knows already is tuned by none.
#pragma once

#include <string>

#include "engine/core/jobs/ranks.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/backend.h"

namespace spokelab {

class RankWisdom {
 public:
  // All ranks make one at the same time. file: rank 0's, the others give null; null there: nothing is
  // kept, and rank 0 alone tunes. Throws Error; Cancelled.
  RankWisdom(Ranks& ranks, Backend& backend, Wisdom* file, const Progress& progress);

  bool tunes() const { return tunes_; }  // this rank
  // For the tuning of this rank; null: nothing is kept.
  Wisdom* wisdom() { return file_ ? file_ : tunes_ && keeps_ ? &own_ : nullptr; }
  // What this rank has found out beyond rank 0's file; of rank 0 nothing.
  WisdomEntries found() const;
  // On rank 0: takes the entries of another rank. -> how many are new. Where the file cannot be written it
  // keeps its warning.
  std::size_t take(const WisdomEntries& entries);

 private:
  Wisdom* file_;
  Wisdom own_{std::filesystem::path()};  // of this job
  WisdomEntries known_;                  // to rank 0
  bool tunes_ = false, keeps_ = false;
};

}  // namespace spokelab
