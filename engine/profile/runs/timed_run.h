// The timings of one sweep, tuning or reconstruction of a scan. Runs are kept with the session,
// named, drawn over one another and compared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"

namespace spokelab {

// A tuning chose among plans for a reconstruction; a reconstruction was given its plan.
enum class RunKind { sweep, tuning, reconstruction };
std::string_view runKindName(RunKind kind);      // "sweep"
RunKind runKindFromName(std::string_view name);  // throws Error

struct TimedRun {
  int number = 0;  // unique in a session
  RunKind kind = RunKind::sweep;
  std::string name;                         // the user's; empty: none
  std::string scan, fingerprint;            // of the scan: its name and Scan::fingerprint
  double accuracy = 0;                      // that was asked for
  std::string time;                         // when it began (UTC, ISO 8601)
  std::string machine;                      // host, processor and threads
  std::optional<double> load;               // of the machine when it began: runnable tasks, mean of a minute
  double seconds = 0;                       // of the whole job; 0: not known
  bool visible = false;                     // drawn
  bool pinned = false;                      // still drawn when another run begins
  std::vector<int> results;                 // ids of results that show this run in the charts
  std::shared_ptr<const TuneResult> timed;  // never null in a session

  // Equal where `timed` is the same object in memory.
  bool operator==(const TimedRun&) const = default;

  std::string title() const;  // its name, else "Sweep 3"
  int plans() const;          // that were timed
  int repeats() const;        // of the plan that was timed most often
  bool isOf(const std::string& scanName, const std::string& scanFingerprint) const;
};

// Time, machine and load of a run that begins now.
void stampRun(TimedRun& run);

}  // namespace spokelab
