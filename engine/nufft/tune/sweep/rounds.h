// Times candidates in turns. A round goes through all of them, so that a burst of load hits all alike
// and not the one whose turn it was. Each turn makes the plan anew, warms it up and executes it some
// times, whose median is one repeat. The plan is gone before the next turn: memory holds one plan at
// a time however many candidates there are, and repeats do not share the luck of one plan's
// addresses. What that costs is a plan and its points a repeat, about as much as the run that warms
// up.
//
// Candidates leave the rounds when they have enough repeats and these lie close together, but the
// ones that may win stay together until none of them needs more: they are compared by the same
// rounds.
#pragma once

#include <functional>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/tune/timing.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct RoundEntry {
  Candidate candidate;  // refused ones are passed over
  // Predicts its cost, where somebody can (may be empty); before its first turn.
  std::function<void(Candidate&)> predict;
  // One turn: fills times, or `refused`. Errors as well, unless the policy wants times only.
  std::function<void(Candidate&, const TimingPolicy&, const Progress&)> time;
};

struct RoundLimits {
  explicit RoundLimits(const TuneRequest& request)
      : repeats(request.trials),
        seconds(request.timeLimit),
        accuracy(request.options.accuracy),
        workload(request.workload) {}

  int repeats;  // of each candidate; 0: minRepeats, and more of those that may win, up to maxRepeats
  // Of all rounds. 0: what the repeats take that are asked for, else as long again as the first
  // round, and more for plans that may win and have fewer than minRepeats.
  double seconds;
  double accuracy;  // of candidates that may win
  Workload workload;

  static constexpr int minRepeats = 5, maxRepeats = 25;
  double minRefineSeconds = 10;  // beside a quick first round
};

// Entries in their order, later rounds shuffled. A candidate is handed to `seen` after each of its
// turns. What the time limit leaves out says so in `refused`. Throws Cancelled; entries then hold
// what they have.
void timeInRounds(std::vector<RoundEntry>& entries, const RoundLimits& limits, const Progress& progress,
                  const std::function<void(const Candidate&)>& seen);

// How long that should take by the cost model, in seconds; fills the entries' predictions.
double expectedSeconds(std::vector<RoundEntry>& entries, const RoundLimits& limits, bool measureError);

}  // namespace spokelab
