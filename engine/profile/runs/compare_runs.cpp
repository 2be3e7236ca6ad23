#include "engine/profile/runs/compare_runs.h"

#include <algorithm>
#include <map>

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {
namespace {

constexpr double significance = 0.05;

// A case for each plan that was timed.
Baseline baselineOf(const TimedRun& run) {
  Baseline baseline;
  baseline.name = run.title();
  baseline.scan = run.scan;
  baseline.fingerprint = run.fingerprint.empty() ? run.scan : run.fingerprint;
  baseline.direction = run.timed->workload.direction;
  baseline.origin = {{"machine", run.machine}, {"time", run.time}};
  if (run.load) baseline.origin["load"] = numberText(*run.load);
  std::map<std::string, int> names;
  for (const Candidate& candidate : run.timed->candidates) {
    if (!candidate.timed() || candidate.runs.empty()) continue;
    PlanMeasurement measurement;
    measurement.name = describe(candidate);
    if (const int before = names[measurement.name]++; before > 0)
      measurement.name += " #" + std::to_string(before + 1);
    measurement.plan = candidate;
    measurement.seconds = candidate.runs;
    baseline.cases.push_back(std::move(measurement));
  }
  return baseline;
}

std::string withoutRepeats(const TimedRun& run) {
  const auto& all = run.timed->candidates;
  const auto count =
      std::count_if(all.begin(), all.end(), [](const Candidate& c) { return c.timed() && c.runs.empty(); });
  if (count == 0) return {};
  return run.title() + ": " + countText(count, "plan") +
         " without single repeats, which earlier versions did not keep";
}

// A note if even the surest verdict, corrected for the number of plans, would prove nothing.
std::string tooFewRepeats(const BaselineComparison& comparison) {
  double surest = 1;
  std::int64_t compared = 0;
  for (const BaselineRow& row : comparison.rows) {
    if (!row.note.empty()) continue;
    ++compared;
    surest = std::min(surest, exactRankProbability(row.repeatsBefore, row.repeatsAfter, 0));
  }
  if (compared == 0 || surest * double(compared) < significance) return {};
  return "Too few repeats to prove a difference of a single plan among " + countText(compared, "plan") +
         ": take more, or compare fewer plans";
}

}  // namespace

BaselineComparison compareRuns(const TimedRun& before, const TimedRun& after) {
  BaselineComparison comparison = compareBaselines(baselineOf(before), baselineOf(after));
  for (std::string words : {withoutRepeats(before), withoutRepeats(after), tooFewRepeats(comparison)})
    if (!words.empty()) comparison.differences.push_back(std::move(words));
  return comparison;
}

}  // namespace spokelab
