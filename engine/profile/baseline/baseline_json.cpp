#include "engine/profile/baseline/baseline_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/profile/results/csv.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/results_read.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* formatName = "spokelab-baseline";
constexpr int formatVersion = 1, indent = 1;

json parsed(const std::filesystem::path& file, const std::string& problem, const std::string& remedy,
            const Progress& progress) {
  noteInput(file);
  json j = parseDocument(readDocument(file, progress), problem, remedy);
  if (!j.is_object()) throw Error(problem, "it is JSON, but no object", remedy);
  return j;
}

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

json toJson(const Baseline& baseline) {
  json cases = json::array();
  for (const BaselineCase& c : baseline.cases)
    cases.push_back({{"name", c.name},
                     {"plan", candidateToJson(c.plan)},
                     {"answerHolds", c.answerHolds()},
                     {"seconds", c.seconds},
                     {"setUpSeconds", c.setUpSeconds},
                     {"transferSeconds", c.transferSeconds}});
  return {{"format", formatName},
          {"formatVersion", formatVersion},
          {"name", baseline.name},
          {"scan", {{"path", baseline.scan}, {"fingerprint", baseline.fingerprint}}},
          {"reading", toJson(baseline.reading)},
          {"options", optionValues(baseline.options)},
          {"direction", directionName(baseline.direction)},
          {"executions", baseline.executions},
          {"origin", baseline.origin},
          {"control", baseline.control},
          {"cases", cases}};
}

void writeBaseline(const Baseline& baseline, const std::filesystem::path& file) {
  writeFileAtomically(file, toJson(baseline).dump(indent, ' ', false, json::error_handler_t::replace) + '\n');
}

Baseline readBaseline(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot read the baseline " + file.string(),
                    remedy = "Name a file that `baseline --save` wrote";
  const json j = parsed(file, problem, remedy, progress);
  if (j.value("format", json()) != formatName) throw Error(problem, "it is not a baseline", remedy);
  try {
    if (countAt<int>(j, "formatVersion") > formatVersion)
      throw Error(problem, "a newer version of the program wrote it", "Install that version");
    Baseline b;
    b.name = j.at("name").get<std::string>();
    b.scan = j.at("scan").at("path").get<std::string>();
    b.fingerprint = j.at("scan").at("fingerprint").get<std::string>();
    b.reading = readingOfJson(j.at("reading"));
    std::vector<std::string> unknown;
    b.options = optionsFromValues(j.at("options").get<std::map<std::string, std::string>>(), unknown);
    if (!unknown.empty())
      throw Error(problem, "it has options of another version: " + unknown.front(), remedy);
    b.direction = directionFromName(j.at("direction").get<std::string>());
    b.executions = countAt<int>(j, "executions");
    b.origin = j.at("origin").get<std::map<std::string, std::string>>();
    b.control = numbersAt(j, "control", notNegative);
    for (const json& c : j.at("cases"))
      b.cases.push_back({c.at("name").get<std::string>(), candidateOfJson(c.at("plan")),
                         numbersAt(c, "seconds", notNegative), numbersAt(c, "setUpSeconds", notNegative),
                         numbersAt(c, "transferSeconds", notNegative)});
    return b;
  } catch (const json::exception& e) {
    throw Error(problem, std::string("something is missing or of the wrong kind: ") + e.what(), remedy);
  }
}

std::vector<Candidate> plansIn(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot take plans from " + file.string(),
                    remedy = "Name the JSON of a sweep, a tuning or a report of this scan";
  std::vector<Candidate> plans;
  try {
    const json j = parsed(file, problem, remedy, progress);
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
  for (const BaselineRow& row : comparison.rows) {
    for (const std::string& cell :
         {csv::quoted(row.name), row.quantity, std::string(verdictName(row.verdict)), number(row.before),
          number(row.after), number(row.spreadBefore), number(row.spreadAfter),
          std::to_string(row.repeatsBefore), std::to_string(row.repeatsAfter), number(row.test.ratio),
          number(row.test.low), number(row.test.high), number(row.test.p), number(row.corrected)})
      text += cell + ',';
    text += csv::quoted(row.note) + '\n';
  }
  return text;
}

}  // namespace spokelab
