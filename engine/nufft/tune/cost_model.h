// What a transform should cost, by its terms of work (work_terms.h). Their seconds per unit are
// learnt from timed candidates, per backend, method, precision, dimension and number of threads,
// for as long as the process lives; before that, and for reproducible requests, they are guesses.
#pragma once

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

  // Seconds of the parts of the request's workload.
  CostParts predict(const TuneRequest& request, const Candidate& candidate) const;
  // Takes in the stage timings of a candidate that has been timed.
  void learn(const TuneRequest& request, const Candidate& candidate);
  void forget();

 private:
  // Both in logarithms.
  struct Observation {
    double work, secondsPerUnit;
  };
  double seconds(const WorkTerm& term, bool guess) const;  // guess: whatever was learnt
  void observe(const WorkTerm& term, double seconds);

  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Observation>> observations_;
};

// Fills predictedParts and predictedSeconds of a candidate, by the shared model.
void predictCost(const TuneRequest& request, Candidate& candidate);

}  // namespace spokelab
