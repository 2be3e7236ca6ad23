// Predicts what a transform should cost, by its terms of work (work_terms.h). A term takes a constant
// (launches) and a rate; both are learnt from timed candidates, per backend, method, precision,
// dimension and number of threads, for as long as the process lives; before that, and for
// reproducible requests, they are guesses. Three rules keep it from being fooled:
//   an observation says something about work within a factor of ten of its own; beyond, the guess
//   rules, scaled by the time that all methods of the device took at such an amount of work;
//   observations of the same problem (its points included) rule out those of others, whose points
//   may crowd;
//   a single observation that is far off counts little: the fit is by medians, corrections of it
//   are bounded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/nufft/plan/work_terms.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

class CostModel {
 public:
  static CostModel& shared();

  // Seconds of the parts of the request's workload: as they are predicted, and at best. At best a
  // stage that was not timed for this problem takes what is predicted, or what the guess promises
  // where that is less: it decides whether a candidate is worth trying.
  struct Costs {
    CostParts predicted, promised;
  };
  Costs costs(const TuneRequest& request, const Candidate& candidate) const;
  CostParts predict(const TuneRequest& request, const Candidate& candidate) const {
    return costs(request, candidate).predicted;
  }
  // Takes in the stage timings of a candidate that has been timed.
  void learn(const TuneRequest& request, const Candidate& candidate);
  void forget();

 private:
  struct Observation {
    double work, seconds;   // logarithms
    std::uint64_t problem;  // a hash of sizes and points
  };
  // Observations of one key, and the robust fit of seconds = constant + rate x work.
  struct Learnt {
    std::vector<Observation> all;
    double constant = 0, rate = 0;
  };
  // Logarithms of seconds over the guess, of all methods of a device, by the decade of the guessed
  // seconds.
  static constexpr std::size_t decades = 10;
  using Ratios = std::array<std::vector<double>, decades>;

  struct Predicted {
    double seconds, promised;
  };
  Predicted seconds(const WorkTerm& term, std::uint64_t problem, bool guess) const;
  double scaledGuess(const WorkTerm& term) const;
  void observe(const WorkTerm& term, std::uint64_t problem, double seconds);

  mutable std::mutex mutex_;
  std::map<std::string, Learnt> learnt_;
  std::map<std::string, Ratios> ratios_;  // by WorkTerm::scaledWith
};

// Fills predictedParts, predictedSeconds and what is promised of a candidate, by the shared model.
void predictCost(const TuneRequest& request, Candidate& candidate);

}  // namespace spokelab
