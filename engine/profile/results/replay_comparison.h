// The numbers of a report that was repeated, beside its own: for a scan's report (report/replay.h)
// and for studies (suite/study_replay.h).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace spokelab {

// One number of a report, beside the replay's number.
struct ReplayRow {
  std::string quantity;     // "predicted error at alpha 1.25, W 5.31"
  std::string then, now;    // in words
  bool judged = true;       // false: times and machines, which may differ
  bool reproduced = false;  // judged: within its tolerance; else: equal
};

struct ReplayComparison {
  std::string of;  // the report that was repeated
  std::vector<ReplayRow> rows;

  int differences() const;  // judged rows that are not reproduced
};

// Reproduced where they differ by at most the tolerance.
ReplayRow judgedRow(std::string quantity, double then, double now, double tolerance);
ReplayRow shownRow(std::string quantity, std::string then, std::string now);
// Differences that pass as reproduced, relative: the same plan elsewhere differs by rounding alone.
inline constexpr double maxPredictionDifference = 0.01, maxMeasurementDifference = 0.05;

// Version, processor, threads, system, libraries: of the report's provenance, and here.
std::vector<ReplayRow> originRows(const nlohmann::json& provenanceThen);

nlohmann::json toJson(const ReplayComparison& comparison);
// A section of an HTML page.
std::string replaySection(const ReplayComparison& comparison);

}  // namespace spokelab
