// Times candidates in turns. A round visits all of them, so that a burst of load affects all alike.
// Each turn makes the plan anew, warms it up and executes it some times; their median is one
// repeat. The plan is freed before the next turn: memory holds one plan at a time, and repeats do
// not share one plan's addresses. A repeat costs a plan and its points, about the time of the
// warm-up run.
//
// A candidate leaves the rounds with enough repeats that agree. Candidates that may win leave
// together, because they are compared by the same rounds.
#pragma once

#include <functional>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/tune/timing.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct RoundEntry {
  Candidate candidate;  // refused ones are passed over
  // Predicts the cost before the first turn; may be empty.
  std::function<void(Candidate&)> predict;
  // Runs one turn: fills the times or `refused`, and the errors unless the policy wants times only.
  std::function<void(Candidate&, const TimingPolicy&, const Progress&)> time;
};

struct RoundLimits {
  explicit RoundLimits(const TuneRequest& request)
      : repeats(request.trials),
        seconds(request.timeLimit),
        accuracy(request.options.accuracy),
        workload(request.workload) {}

  int repeats;  // 0: minRepeats; up to maxRepeats for candidates that may win
  // Limit of all rounds. 0: all requested repeats are made. If none are requested, rounds are
  // repeated for as long as the first round took, and up to five times this while a plan that may
  // win has fewer than minRepeats.
  double seconds;
  double accuracy;  // a candidate that may win meets it
  Workload workload;

  static constexpr int minRepeats = 5, maxRepeats = 25;
  double minRefineSeconds = 10;  // at least, after a quick first round
};

// Takes the entries in order, shuffled in later rounds. `seen` gets a candidate after each of its
// turns. Candidates that the time limit leaves out say so in `refused`. Throws Cancelled; the
// entries keep their times.
void timeInRounds(std::vector<RoundEntry>& entries, const RoundLimits& limits, const Progress& progress,
                  const std::function<void(const Candidate&)>& seen);

// Predicted duration in seconds, by the cost model; fills the entries' predictions.
double expectedSeconds(std::vector<RoundEntry>& entries, const RoundLimits& limits, bool measureError);

}  // namespace spokelab
