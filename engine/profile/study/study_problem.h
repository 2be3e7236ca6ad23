// Shared by the studies of the CPU: problems, rows, and the precomputations. Internal to the
// engine.
#pragma once

#include <vector>

#include "engine/core/error.h"
#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study.h"

namespace spokelab {

// nfft-jl's half width m is W / 2. Our loops end at W = 16, its figure of errors at m = 10.
inline constexpr int minHalfWidth = 3, maxHalfWidth = 8, maxPlainHalfWidth = 10;

struct ResamplingCase {
  StudyCase c;
  NufftProblem problem;
  std::vector<double> points;
};

// nfft-jl's case, in double precision. The number of pixels and the number of random points are
// about n^3 for any dims: the side is n^3 in 1-D, n^1.5 in 2-D, n in 3-D.
ResamplingCase resamplingCase(int dims, int n);

// A pattern in 3-D, single precision.
ResamplingCase patternCase(const std::string& pattern, int n, double acceleration);

ResamplingCase interleavedCase(const std::string& pattern, int n, double acceleration);

// cufinufft's: "random" or "clustered" points in 2-D or 3-D, n^dims / R of them.
ResamplingCase boxCase(const std::string& pattern, int dims, int n, double acceleration, Precision precision);

// A precomputation by its name in the charts; sparse: the method `sparse`, which stores all
// weights.
struct Precomputed {
  std::string name;
  Precomputation precomputation;
  bool sparse = false;

  void choose(NufftOptions& options) const;
};
const std::vector<Precomputed>& precomputed();  // polynomial, tensor, linear, full, none

// A row of a CPU variant without a place in the chart; with a run: its timings, error and memory.
StudyRow rowFor(const ResamplingCase& c, const std::string& variant, bool adjoint);
StudyRow rowFor(const ResamplingCase& c, const std::string& variant, bool adjoint, const RaceRun& run);
void refuse(StudyRow& row, const Error& error);
StudyRow refusedRow(const std::string& backend, const std::string& variant);

// Times an untuned plan; open methods are the backend's first. `refused`: could not run.
Candidate timeFixed(NufftBackend& backend, const ResamplingCase& c, const NufftOptions& options,
                    Direction direction, const StudyRequest& request, bool measureError,
                    const Progress& progress);

// The request's trials; 5 where it leaves them open.
int roundsOf(const StudyRequest& request);

}  // namespace spokelab
