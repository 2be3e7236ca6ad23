// Studies of the papers, rerun on one's own machine: the same patterns, sizes, accelerations and accuracies, each
// implementation that is here tuned on its own. A study is a list of cases and, for each, of variants; every variant
// is one call of tune() with some choices fixed.
//
//   alpha            time over alpha for each implementation (papers/gnufftw Fig. 6)
//   best-alpha       the best alpha by pattern, acceleration and accuracy (Fig. 7)
//   fixed-alpha      tuned against fixed alpha = 1.125 and 2 (Fig. 8)
//   implementations  each implementation tuned, and the Toeplitz operator, against the CPU (Figs 9 and 10)
//   spreading        GM, GM-sort, SM and ours, random and clustered, with and without set-up (papers/cufinufft Fig. 2)
//   interpolation    the same for interpolation (Fig. 3)
//
// Acceleration R as in design section 4: radial ceil(pi N^2 / (2R)) diameters, stars N planes of ceil(pi N / (2R))
// spokes, random N^3 / R points.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/core/progress.h"
#include "engine/nufft/tune.h"

namespace spokelab {

// What a user may ask of a study; what is empty is taken from the paper.
struct StudyRequest {
  std::string study;
  std::vector<int> sizes;             // N of N^3
  std::vector<double> accelerations;  // R
  std::vector<double> accuracies;
  std::vector<std::string> patterns;  // of studyPatterns()
  int trials = 0;                     // repeats a candidate; 0: chosen from its time
};

struct StudyCase {
  std::string pattern;
  int size = 0;
  double acceleration = 1, accuracy = 1e-2;
  std::int64_t points = 0;
};

// One variant of one case. Seconds of one execution (forward + adjoint in the studies of gnufftw), transfers between
// host and GPU apart; set-up is what new points cost.
struct StudyRow {
  StudyCase c;
  std::string variant;  // "cuda gm-sort", "cuda tensor, alpha 2", "cuda toeplitz", "cpu blocked"
  Candidate candidate;  // options, stage timings, error model
  double seconds = 0, transferSeconds = 0, setUpSeconds = 0;
  double speedUp = 0;   // over the CPU's variant of the case; 0: there is none
  std::string refused;  // why it could not run, or empty
};

struct StudyResult {
  StudyRequest request;  // nothing left open
  std::string title, source;
  std::vector<StudyRow> rows;
  bool cancelled = false;  // the rows are then what was done
};

struct StudyInfo {
  std::string name, title, source;
};
const std::vector<StudyInfo>& studies();
std::vector<std::string> studyPatterns();  // "radial3d", "stack-of-stars", "random", "clustered", ...

// Points in cycles per pixel, [M, 3]. Throws Error for an unknown pattern.
std::vector<double> studyPoints(const std::string& pattern, int size, double acceleration);

// Each row is handed to `seen` when it is done. Throws Error for an unknown study, pattern, or sizes out of range.
StudyResult runStudy(std::span<NufftBackend* const> backends, const StudyRequest& request,
                     const Progress& progress, const std::function<void(const StudyRow&)>& seen = {});

nlohmann::json toJson(const StudyResult& result);
std::string toCsv(const StudyResult& result);

}  // namespace spokelab
