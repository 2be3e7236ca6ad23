#include "engine/profile/suite/study_replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/study/claims/claims.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite_claims.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char *suiteKind = "suite results", *repeatedKey = "studies";
constexpr double maxCountDifference = 1e-3;  // relative: rounding alone differs

// Its rows rest on times.
bool isTimed(const std::string& study) {
  for (const StudyInfo& info : studies())
    if (info.name == study) return info.uses.trials;
  return true;
}

// Case, operation, panel and line. The n-th row of a place belongs to the n-th of the other study.
using Place = std::tuple<std::string, int, double, double, std::string, std::string, std::string>;

Place placeOf(const StudyRow& row) {
  return {row.c.pattern,
          row.c.size,
          row.c.acceleration,
          row.c.accuracy,
          row.direction,
          row.panel,
          row.series.empty() ? row.variant : row.series};
}

std::string titleOf(const StudyRow& row) {
  std::string text;
  const std::string size = row.c.size > 0 ? "N " + std::to_string(row.c.size) : "";
  for (const std::string& part :
       {row.panel, row.series.empty() ? row.variant : row.series, row.direction, row.c.pattern, size,
        "R " + numberText(row.c.acceleration, 3), "x " + numberText(row.x, 4)})
    if (!part.empty() && text.find(part) == std::string::npos)  // the panel may name it
      text += (text.empty() ? "" : ", ") + part;
  return text;
}

bool samePlan(const Candidate& a, const Candidate& b) {
  constexpr double same = 1e-9;
  return a.backend == b.backend && std::abs(a.options.alpha - b.options.alpha) < same &&
         std::abs(a.options.width - b.options.width) < same && a.options.kernel == b.options.kernel &&
         a.options.normal == b.options.normal && a.options.spread == b.options.spread &&
         a.options.interpolate == b.options.interpolate;
}

void compareRow(const StudyRow& then, const StudyRow& now, bool timesDecide, std::vector<ReplayRow>& rows) {
  const std::string at = ": " + titleOf(then);
  if (!then.refused.empty() || !now.refused.empty()) {
    const auto words = [](const StudyRow& row) {
      return row.refused.empty() ? "ran" : "refused: " + row.refused;
    };
    rows.push_back(shownRow("row" + at, words(then), words(now)));
    return;
  }
  if (!timesDecide) {
    rows.push_back(judgedRow("y" + at, then.y, now.y, maxCountDifference * std::abs(then.y)));
    return;
  }
  const Candidate &before = then.candidate, &after = now.candidate;
  const bool same = samePlan(before, after);
  if (before.predictedError() > 0 && after.predictedError() > 0) {
    rows.push_back(judgedRow("predicted error" + at, before.predictedError(), after.predictedError(),
                             maxPredictionDifference * before.predictedError()));
    rows.back().judged = same;
  }
  if (before.measuredError && after.measuredError) {
    rows.push_back(judgedRow("measured error" + at, *before.measuredError, *after.measuredError,
                             maxMeasurementDifference * *before.measuredError + before.predicted.rounding));
    rows.back().judged = same;
  }
  if (then.seconds > 0 || now.seconds > 0)
    rows.push_back(shownRow("time" + at, millisecondsText(then.seconds), millisecondsText(now.seconds)));
  else
    rows.push_back(shownRow("y" + at, numberText(then.y, 4), numberText(now.y, 4)));
}

}  // namespace

bool isStudyRecord(const std::filesystem::path& file) {
  if (file.extension() != ".json") return false;
  try {
    const json document = parseDocument(readDocument(file), "", "");
    const bool hasStudies = document.contains("study") || document.contains(repeatedKey);
    return isRecord(document, suiteKind) || (hasStudies && document.contains("provenance"));
  } catch (const Error&) {
    return false;
  }
}

StudyRecord readStudyRecord(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot repeat " + file.string(),
                    remedy = "Name the JSON that `study --json` wrote, or the results.json of a suite";
  noteInput(file);
  const json document = parseDocument(readDocument(file, progress), problem, remedy);
  StudyRecord record;
  record.file = file;
  try {
    requireKnownVersion(document, problem);
    const bool isSuite = isRecord(document, suiteKind);
    const bool isRepeated = document.contains(repeatedKey);
    if (!isSuite && !isRepeated && !document.contains("study"))
      throw Error(problem, "it has no study", remedy);
    if (document.contains("shard"))
      throw Error(problem, "it is one share of a run", "Join the shares first: `merge`");
    if (!isSuite) {
      if (isRepeated)
        for (const json& study : document.at(repeatedKey)) record.results.push_back(studyFromJson(study));
      else
        record.results.push_back(studyFromJson(document.at("study")));
      if (record.results.empty()) throw Error(problem, "it has no study", remedy);
      record.origin = originRows(document.at("provenance"));
      return record;
    }
    const json& cases = document.at("cases");
    record.results = studiesOfCases(cases);
    for (const json& finished : cases) {
      if (!finished.contains("study")) ++record.sweeps;
      if (record.origin.empty() && finished.contains("provenance"))
        record.origin = originRows(finished.at("provenance"));
    }
    if (record.results.empty()) throw Error(problem, "none of its cases is a study", remedy);
    return record;
  } catch (const json::exception& e) {
    throw Error(problem, std::string("something is missing or of the wrong kind: ") + e.what(), remedy);
  }
}

std::vector<ReplayRow> compareStudies(const StudyResult& then, const StudyResult& now) {
  const bool timesDecide = isTimed(then.request.study);
  std::map<Place, std::vector<const StudyRow*>> rowsNow;
  for (const StudyRow& row : now.rows) rowsNow[placeOf(row)].push_back(&row);
  std::map<Place, std::size_t> taken;
  std::vector<ReplayRow> rows;
  for (const StudyRow& row : then.rows) {
    const std::vector<const StudyRow*>& there = rowsNow[placeOf(row)];
    const std::size_t n = taken[placeOf(row)]++;
    if (n < there.size())
      compareRow(row, *there[n], timesDecide, rows);
    else
      rows.push_back({"row: " + titleOf(row), "there", "missing", !timesDecide, false});
  }
  for (const StudyRow& row : now.rows) {
    std::size_t& seen = taken[placeOf(row)];
    if (seen > 0)
      --seen;
    else
      rows.push_back({"row: " + titleOf(row), "missing", "there", !timesDecide, false});
  }
  const std::vector<ClaimResult> before = checkClaims(then), after = checkClaims(now);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    rows.push_back(shownRow("claim: " + before[i].sentence, std::string(claimVerdictName(before[i].verdict)),
                            std::string(claimVerdictName(after[i].verdict))));
  return rows;
}

StudyReplay repeatStudies(const StudyRecord& record, std::span<NufftBackend* const> backends,
                          const Progress& progress) {
  StudyReplay replay;
  replay.comparison.of = record.file.string();
  std::vector<ReplayRow>& rows = replay.comparison.rows;
  rows = record.origin;
  const auto count = double(record.results.size());
  for (const StudyResult& then : record.results) {
    const double done = double(replay.results.size());
    StudyResult now =
        runStudy(backends, usedPart(then.request), progress.part(done / count, (done + 1) / count));
    if (now.cancelled) throw Cancelled{};
    for (ReplayRow& row : compareStudies(then, now)) {
      if (record.results.size() > 1) row.quantity = then.request.study + ", " + row.quantity;
      rows.push_back(std::move(row));
    }
    replay.results.push_back(std::move(now));
  }
  if (record.sweeps > 0)
    rows.push_back(
        shownRow("sweeps over scans", countText(std::int64_t(record.sweeps), "case"), "not repeated"));
  return replay;
}

}  // namespace spokelab
