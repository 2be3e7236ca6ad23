// Finds the fastest plan that meets an accuracy. Candidates (backend x method x alpha x W) that the error
// model admits are ordered by the cost model (papers/gnufftw eq. 9) and timed; timing decides.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

class Wisdom;

enum class TuneEffort { estimate, measure, exhaustive };
enum class Direction { forward, adjoint, both, normal };
std::string_view effortName(TuneEffort);      // "estimate", "measure", "exhaustive"
std::string_view directionName(Direction);    // "forward", "adjoint", "both", "normal"
TuneEffort effortFromName(std::string_view);  // throw Error
Direction directionFromName(std::string_view);

// One way to compute the transform, and all that is known about it.
struct Candidate {
  std::string backend;
  NufftOptions options;  // alpha, width, methods, bins: settled
  Index3 grid{1, 1, 1};
  PredictedError predicted;
  double predictedSeconds = 0;  // by the cost model
  StageTimings timings;         // the run of the median total; total == 0: not timed
  double spread = 0;            // (p75 - p25) / median of the totals
  int repeats = 0;
  double setPointsSeconds = 0;
  double transferSeconds = 0;           // of the last run, not in `timings`: copies between host and GPU
  std::optional<double> measuredError;  // relative l2 against nudft on random outputs, where it was asked for
  std::int64_t memory = 0;
  std::string refused;  // why it could not run, or empty

  bool timed() const { return timings.total > 0; }
};

struct TuneRequest {
  NufftProblem problem;
  std::span<const double> points;   // [M, dims], cycles per pixel; must outlive the call
  std::span<const double> weights;  // for Direction::normal; may be empty
  NufftOptions options;  // accuracy and whatever the user fixed (alpha, width, methods, kernel, threads)
  TuneEffort effort = TuneEffort::measure;
  Direction direction = Direction::both;
  int trials = 0;             // repeats a candidate; 0: chosen from its time
  double timeLimit = 0;       // seconds; 0: by effort (measure: 1 s or so, exhaustive: none)
  bool measureError = false;  // fill in Candidate::measuredError
};

struct TuneResult {
  std::vector<Candidate> candidates;  // all that were enumerated, in the order tried
  int best = -1;                      // index; -1: nothing could run
  std::string reason;                 // one sentence: why it won
  bool fromWisdom = false;
  bool cancelled = false;  // best is then the best so far
  double seconds = 0;
};

// Each candidate is handed to `seen` when it has been timed (on the calling thread).
// Throws Error where no candidate can meet the accuracy, with the reason and what would.
TuneResult tune(std::span<NufftBackend* const> backends, const TuneRequest& request, Wisdom* wisdom,
                const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

// Times every (alpha, width) pair asked for, whether it meets the accuracy or not: the charts' data.
// widths empty: for each alpha the smallest width that meets request.options.accuracy.
struct SweepRequest {
  TuneRequest base;
  std::vector<double> alphas;
  std::vector<double> widths;
};
TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

// Times one candidate (fills timings, spread, repeats, setPointsSeconds, memory, measuredError or refused).
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate,
                   const Progress& progress);

// Relative l2 error of a plan against nudft: 8 draws of iid complex normal data, `outputs` random outputs
// each (design section 4: error / max(|y|, sqrt(R) |u|) ... as a root mean square).
double measureError(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, Direction direction, int outputs, unsigned seed,
                    const Progress& progress);

// Values of alpha in (1, 2] whose grids are distinct fast sizes for this problem, ascending.
std::vector<double> fastAlphas(const NufftProblem& problem);

}  // namespace spokelab
