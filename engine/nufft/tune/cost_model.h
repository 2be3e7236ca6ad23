// What a transform should cost (papers/gnufftw eq. 9): c1 M W^d + c2 G log G + c3 G, per image, G = prod_d
// G_d. W counts whole cells, as the loops do. A Toeplitz normal operator (eq. 14): c4 L log L, L the cells of
// all its transforms. The constants are learnt from timed candidates, per backend,
// method, precision, dimension and number of threads, for as long as the process lives; before that they are
// guesses.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

class CostModel {
 public:
  static CostModel& shared();

  // Seconds of one execution in the request's direction.
  double predict(const TuneRequest& request, const Candidate& candidate) const;
  // The same before anything was timed, for `points` points.
  static double firstGuess(const TuneRequest& request, const Candidate& candidate, std::int64_t points);
  // Takes in the stage timings of a candidate that has been timed.
  void learn(const TuneRequest& request, const Candidate& candidate);
  void forget();

 private:
  // Seconds per unit of work, seen at some amounts of work (in logarithms).
  struct Observation {
    double work, rate;
  };
  struct Term {
    std::string key;
    double work = 0, guess = 0;  // amount; seconds per unit before anything was learnt
  };
  struct Terms {
    Term spread, interpolate, fft, rest;
  };
  static Terms terms(const TuneRequest& request, const Candidate& candidate, std::int64_t points);
  double seconds(const Term& term) const;
  void observe(const Term& term, double seconds);

  mutable std::mutex mutex_;
  std::map<std::string, std::vector<Observation>> observations_;
};

}  // namespace spokelab
