// The work of a transform and of what it needs before ([gnufftw] eq. 9), per image: c1 M W^d + c2 G
// log G + c3 G, with M points, G grid cells and W in whole cells, as the loops touch them. A
// Toeplitz normal operator ([gnufftw] eq. 14) works c4 L log L, with L the cells of all its
// transforms. The c are guesses here, equal in every run; the tuner learns better ones.
#pragma once

#include <cstdint>
#include <string>

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct WorkTerm {
  std::string key;  // terms of one key share their seconds per unit
  double work = 0;  // units
  double guessedSecondsPerUnit = 0;
  // Terms of one name are off together: one's measured ratio scales another's guess. Empty: alone.
  std::string scaledWith = {};
};

struct WorkTerms {
  WorkTerm spread, interpolate, fft, rest;
  WorkTerm plan, points;  // of making the plan, and of setting points
  WorkTerm transfer;      // GPU: images and samples that are not on the device; in bytes
};

WorkTerms workTerms(const NufftProblem& problem, const std::string& backend, const NufftOptions& options,
                    const Index3& grid, Direction direction, std::int64_t points);

// Seconds of one execution by the guesses alone, its data at hand.
double guessedSeconds(const WorkTerms& terms);

}  // namespace spokelab
