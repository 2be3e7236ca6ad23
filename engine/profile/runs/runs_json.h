// Two forms of the timed runs: the session's (toJson, runFromJson), which writes values common to
// all plans of a run once, and the exported one: JSON with everything, CSV with a row a plan.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/runs/timed_run.h"

namespace spokelab {

nlohmann::json toJson(const TimedRun& run);        // the session's form
TimedRun runFromJson(const nlohmann::json& json);  // throws Error, json::exception

// {"runs": [...]}, the plans of each as toJson(TuneResult) writes them.
nlohmann::json exportedRuns(const std::vector<TimedRun>& runs);
std::string runsText(const std::vector<TimedRun>& runs);  // the same as a file's text
// Columns of the run, then the columns of toCsv(TuneResult).
std::string toCsv(const std::vector<TimedRun>& runs);

}  // namespace spokelab
