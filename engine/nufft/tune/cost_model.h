// Predicts the time of a transform from its terms of work (work_terms.h). Each term has a constant
// (launches) and a rate. The model learns both from timed candidates, per backend, method,
// precision, dimension and number of threads, for the life of the process. Before that, and for
// reproducible requests, it uses guesses. Three rules keep it from being fooled:
// - An observation counts for work within a factor of ten. Beyond, the guess counts, scaled by the
//   times of all methods of the device at such work.
// - Observations of the same problem, points included, replace observations of other problems,
//   whose points may crowd.
// - A single outlier counts little: the fit uses medians, and its corrections are bounded.
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

  // Seconds of the parts of the request's workload. `promised` decides if a candidate is worth
  // trying: a stage that was not timed for this problem takes the predicted time there, or the
  // guess if it is less.
  struct Costs {
    CostParts predicted, promised;
  };
  Costs costs(const TuneRequest& request, const Candidate& candidate) const;
  CostParts predict(const TuneRequest& request, const Candidate& candidate) const {
    return costs(request, candidate).predicted;
  }
  void learn(const TuneRequest& request, const Candidate& candidate);
  void forget();

 private:
  struct Observation {
    double work, seconds;   // logarithms
    std::uint64_t problem;  // a hash of sizes and points
  };
  // Observations of one key, and the robust fit of seconds = constant + rate x work.
  struct Learnt {
    std::vector<Observation> observations;
    double constant = 0, rate = 0;
  };
  // Logarithms of measured over guessed seconds of a device's methods, by decade of the guess.
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

// Fills the candidate's predicted and promised costs from the shared model.
void predictCost(const TuneRequest& request, Candidate& candidate);

}  // namespace spokelab
