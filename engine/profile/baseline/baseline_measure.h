// Measures baselines. A case is one plan, of a NUFFT or of a path through the scan's field. A round
// makes every plan again, in random order: it sets the points, executes once to warm up, then
// `executions` times; the median is the round's time. New plans and the shuffled order make rounds
// independent repeats: memory layout and the machine's other load differ between them. The first
// round warms the machine up, measures each plan's error against exact sums, and is not kept. Each
// round also times a fixed piece of work, the same in all versions, to compare the machine itself.
#pragma once

#include <string>
#include <vector>

#include "engine/nufft/tune/result/candidate.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct BaselineSettings {
  int rounds = 12;     // kept; 4 are the fewest
  int executions = 3;  // of a plan in a round
};

// Times `plans` (those that were refused are left out) on the scan. Fills cases, control, origin,
// executions, scan and fingerprint. Throws Error where not a single plan can be timed, Cancelled.
Baseline measureBaseline(const std::string& name, const Scan& scan, const ReadOptions& reading,
                         const ReconOptions& options, Direction direction,
                         const std::vector<Candidate>& plans, const std::vector<Backend*>& backends,
                         const BaselineSettings& settings, const std::string& commandLine,
                         const Progress& progress);

// The plans of a baseline timed again with its options. Plans of backends that are not here are
// left out. Throws Error where the scan asks for another transform, or no plan can be timed.
Baseline measureAgain(const Baseline& before, const Scan& scan, const std::vector<Backend*>& backends,
                      const BaselineSettings& settings, const std::string& commandLine,
                      const Progress& progress);

// 64 bits over what is timed: sizes, precision and points, and the field where one acts. What the
// samples hold makes no difference to times.
std::string transformFingerprint(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
