// The result of a search for the fastest plan, or of a sweep (tune.h).
#pragma once

#include <string>
#include <vector>

#include "engine/core/measure/machine_load.h"
#include "engine/nufft/problem/workload.h"
#include "engine/nufft/tune/result/candidate.h"

namespace spokelab {

// Cost of the switch `reproducible`: measured seconds of an execution in the request's workload.
struct ReproducibleCost {
  double with = 0;     // the plan that repeats; 0: not known
  double without = 0;  // the fastest plan
  bool known() const { return with > 0 && without > 0; }
};

struct TuneResult {
  std::vector<Candidate> candidates;  // in the order in which they were tried
  int best = -1;                      // index; -1: nothing could run
  std::string reason;                 // one sentence: why it won
  Workload workload;                  // what was tuned for
  bool fromWisdom = false;
  bool cancelled = false;  // best is then the best so far
  // The time limit ended an exhaustive search; `best` is the best of the timed plans.
  bool cutShort = false;
  // Measure timed so few plans that the choice may be poor. Wisdom does not keep it.
  bool isThin = false;
  // Candidates timed by the stopped exhaustive search that this one continues.
  int timedEarlier = 0;
  double seconds = 0;
  MachineLoad load;  // during a sweep
  // Largest share by which the best may be slower than another timed plan, by a sweep's repeats;
  // negative: not known.
  double behind = -1;
  ReproducibleCost reproducible;
};

}  // namespace spokelab
