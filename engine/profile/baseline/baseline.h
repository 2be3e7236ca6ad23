// Timings of plans for one machine, scan and workload. A baseline is a record of them that is kept,
// and compared case by case with the baseline of a later version, driver or machine. To compare two
// runs of a session, each is made a baseline first (compare_runs.h).
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/nufft/tune/result/candidate.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {

// One plan that was timed, with its predicted and measured error.
struct PlanMeasurement {
  std::string name;  // says the plan; unique in its record
  // The options are settled. answerHolds() checks measuredError.
  Candidate plan;
  // Repeats: one a round.
  std::vector<double> seconds, setUpSeconds, transferSeconds;

  // The measured error is within what was promised: 1.5 times the accuracy, for it is a mean over
  // few draws. Plans that leave a part of the field out promise their predicted difference.
  bool answerHolds() const {
    constexpr double maxErrorOverPromise = 1.5;
    const double promised = std::max(plan.options.accuracy, plan.predictedNormalError);
    return !plan.measuredError || *plan.measuredError <= maxErrorOverPromise * promised;
  }
};

struct Baseline {
  std::string name;
  std::string scan;         // path or "demo"
  std::string fingerprint;  // transformFingerprint()
  ReadOptions reading;
  ReconOptions options;
  Direction direction = Direction::adjoint;
  int executions = 0;                         // of a plan in a round
  std::map<std::string, std::string> origin;  // version, commit, time, cpu, clock, load, devices ...
  std::vector<double> control;                // seconds of the fixed work, one a round
  std::vector<PlanMeasurement> cases;
};

}  // namespace spokelab
