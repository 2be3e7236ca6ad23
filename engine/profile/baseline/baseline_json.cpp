#include "engine/profile/baseline/baseline_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/csv.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* kind = "baseline";

json rowToJson(const BaselineRow& row) {
  json j{{"case", row.name},
         {"quantity", row.quantity},
         {"verdict", verdictName(row.verdict)},
         {"beforeSeconds", row.before},
         {"afterSeconds", row.after}};
  if (!row.note.empty()) {
    j["note"] = row.note;
    return j;
  }
  j["beforeSpread"] = row.spreadBefore;
  j["afterSpread"] = row.spreadAfter;
  j["beforeRepeats"] = row.repeatsBefore;
  j["afterRepeats"] = row.repeatsAfter;
  j["ratio"] = row.test.ratio;
  j["low"] = row.test.low;
  j["high"] = std::isfinite(row.test.high) ? json(row.test.high) : json();
  j["p"] = row.test.p;
  j["pCorrected"] = row.corrected;
  j["ratioOverFixedWork"] = row.inUnits.ratio;
  return j;
}

// All objects that look like a candidate, wherever they lie.
void collect(const json& j, std::vector<Candidate>& plans) {
  if (j.is_object() && j.contains("backend") && j.contains("options") && j.contains("timings") &&
      j.contains("grid")) {
    Candidate candidate = candidateOfJson(j);
    if (candidate.timed()) plans.push_back(std::move(candidate));
    return;
  }
  if (j.is_structured())
    for (const json& part : j) collect(part, plans);
}

}  // namespace

template <class F, Either<PlanMeasurement> M>
static void fields(F& f, M& m) {
  f("name", m.name);
  f("plan", m.plan, Through{candidateToJson, candidateOfJson});
  f.told("answerHolds", m.answerHolds());
  f("seconds", m.seconds, notNegative);
  f("setUpSeconds", m.setUpSeconds, notNegative);
  f("transferSeconds", m.transferSeconds, notNegative);
}

template <class F, Either<Baseline> B>
static void fields(F& f, B& baseline) {
  f("name", baseline.name);
  f.object("scan", [&](auto& scan) {
    scan("path", baseline.scan);
    scan("fingerprint", baseline.fingerprint);
  });
  f("reading", baseline.reading);
  f("direction", baseline.direction, Named{directionName, directionFromName});
  f("executions", baseline.executions);
  f("origin", baseline.origin);
  f("control", baseline.control, notNegative);
  f("cases", baseline.cases);
}

json toJson(const Baseline& baseline) {
  json j = recordHead(kind);
  j.update(asJson(baseline));
  j["options"] = optionValues(baseline.options);
  return j;
}

void writeBaseline(const Baseline& baseline, const std::filesystem::path& file) {
  writeFileAtomically(file, recordText(toJson(baseline)));
}

Baseline readBaseline(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot read the baseline " + file.string(),
                    remedy = "Name a file that `baseline --save` wrote";
  Baseline baseline;
  readRecord(file, kind, problem, remedy, progress, [&](const json& j) {
    readFields(j, baseline);
    std::vector<std::string> unknown;
    baseline.options = optionsFromValues(j.at("options").get<std::map<std::string, std::string>>(), unknown);
    if (!unknown.empty())
      throw Error(problem, "it has options of another version: " + unknown.front(), remedy);
  });
  return baseline;
}

std::vector<Candidate> plansIn(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot take plans from " + file.string(),
                    remedy = "Name the JSON of a sweep, a tuning or a report of this scan";
  std::vector<Candidate> plans;
  try {
    noteInput(file);
    const json j = parseDocument(readDocument(file, progress), problem, remedy);
    // Reads the plans that were timed on purpose; a report's tuning is another list.
    const auto sweep = j.find("sweep");
    collect(sweep != j.end() ? *sweep : j, plans);
  } catch (const json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
  if (plans.empty()) throw Error(problem, "no timed plan is in it", remedy);
  return plans;
}

json toJson(const BaselineComparison& comparison) {
  json rows = json::array();
  for (const BaselineRow& row : comparison.rows) rows.push_back(rowToJson(row));
  return {{"before", comparison.before},
          {"after", comparison.after},
          {"smallest", comparison.smallest},
          {"summary", comparison.summary()},
          {"control", rowToJson(comparison.control)},
          {"differences", comparison.differences},
          {"wrongAnswers", comparison.wrong},
          {"rows", rows}};
}

std::string toCsv(const BaselineComparison& comparison) {
  using csv::number;
  std::string text =
      "case,quantity,verdict,before,after,spreadBefore,spreadAfter,repeatsBefore,repeatsAfter,ratio,low,high,"
      "p,pCorrected,note\n";
  for (const BaselineRow& row : comparison.rows)
    text += csv::line({row.name, row.quantity, std::string(verdictName(row.verdict)), number(row.before),
                       number(row.after), number(row.spreadBefore), number(row.spreadAfter),
                       std::to_string(row.repeatsBefore), std::to_string(row.repeatsAfter),
                       number(row.test.ratio), number(row.test.low), number(row.test.high),
                       number(row.test.p), number(row.corrected), row.note});
  return text;
}

}  // namespace spokelab
