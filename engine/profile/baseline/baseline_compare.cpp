#include "engine/profile/baseline/baseline_compare.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// Chance that any verdict of a comparison is wrong.
constexpr double significance = 0.05;
// Clocks that are closer, relative, are not named as a difference.
constexpr double minClockDifference = 0.05;
// Set-ups and transfers that take less are not compared.
constexpr double minComparedSeconds = 1e-6;

const char* const execution = "execution";

BaselineRow rowOf(const std::string& name, const char* quantity, const std::vector<double>& before,
                  const std::vector<double>& after) {
  BaselineRow row;
  row.name = name;
  row.quantity = quantity;
  row.before = medianOf(before);
  row.after = medianOf(after);
  row.spreadBefore = relativeSpread(before);
  row.spreadAfter = relativeSpread(after);
  row.repeatsBefore = int(before.size());
  row.repeatsAfter = int(after.size());
  row.test = compareRepeats(before, after, 1 - significance);
  return row;
}

// p: corrected. An interval without ends, or without 1 in it, shows no difference only because
// repeats are few: the case then has no verdict.
Verdict verdictOf(double p, const RankTest& test, double smallest) {
  const bool told = test.low > 0 && std::isfinite(test.high) && test.low <= 1 && test.high >= 1;
  if (p >= significance) return told ? Verdict::noDifference : Verdict::undecided;
  if (test.ratio >= 1 + smallest) return Verdict::slower;
  if (test.ratio <= 1 / (1 + smallest)) return Verdict::faster;
  return Verdict::noDifference;
}

// Times over the fixed work's times of the same rounds, or its median if a round is missing.
std::vector<double> inUnits(std::vector<double> seconds, const std::vector<double>& control) {
  const double median = medianOf(control);
  for (std::size_t i = 0; i < seconds.size(); ++i)
    seconds[i] /= seconds.size() == control.size() ? control[i] : median;
  return seconds;
}

bool positive(const std::vector<double>& seconds) {
  return !seconds.empty() && *std::min_element(seconds.begin(), seconds.end()) > minComparedSeconds;
}

void addRows(const PlanMeasurement& before, const PlanMeasurement& after, const Baseline& then,
             const Baseline& now, std::vector<BaselineRow>& rows) {
  if (before.seconds.empty() || after.seconds.empty()) {
    BaselineRow row;
    row.name = before.name;
    row.quantity = execution;
    row.before = medianOf(before.seconds);
    row.after = medianOf(after.seconds);
    row.note = before.seconds.empty() ? "refused before: " + before.plan.refused
                                      : "refused now: " + after.plan.refused;
    rows.push_back(std::move(row));
    return;
  }
  const auto add = [&](const char* quantity, const std::vector<double>& a, const std::vector<double>& b) {
    if (quantity != execution && (!positive(a) || !positive(b))) return;
    rows.push_back(rowOf(before.name, quantity, a, b));
    if (!then.control.empty() && !now.control.empty())
      rows.back().inUnits =
          compareRepeats(inUnits(a, then.control), inUnits(b, now.control), 1 - significance);
  };
  add(execution, before.seconds, after.seconds);
  add("set-up", before.setUpSeconds, after.setUpSeconds);
  add("transfers", before.transferSeconds, after.transferSeconds);
}

std::vector<std::string> differencesOf(const Baseline& before, const Baseline& after) {
  std::vector<std::string> list;
  for (const auto& [key, then] : before.origin) {
    const auto found = after.origin.find(key);
    const std::string now = found == after.origin.end() ? "none" : found->second;
    if (key == "time" || key == "commandLine" || key == "load" || then == now) continue;
    if (key == "clock") {
      const double a = leadingNumber(then), b = leadingNumber(now);
      if (a > 0 && b > 0 && std::abs(a - b) < minClockDifference * a) continue;
    }
    list.push_back(key + ": " + then + " -> " + now);
  }
  if (before.executions != after.executions)
    list.push_back("executions a round: " + std::to_string(before.executions) + " -> " +
                   std::to_string(after.executions));
  return list;
}

}  // namespace

std::string_view verdictName(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names = {"faster", "slower", "no difference", "cannot tell",
                                                     "not compared"};
  return names.at(std::size_t(verdict));
}

int BaselineComparison::count(Verdict verdict) const {
  return int(std::count_if(rows.begin(), rows.end(), [&](const BaselineRow& row) {
    return row.quantity == execution && row.verdict == verdict;
  }));
}

std::string BaselineComparison::summary() const {
  const int faster = count(Verdict::faster), slower = count(Verdict::slower),
            same = count(Verdict::noDifference), open = count(Verdict::undecided),
            apart = count(Verdict::notCompared);
  std::string text = "Of " + countText(faster + slower + same + open + apart, "plan") + ' ' +
                     countText(faster, "is faster, ", "are faster, ") + std::to_string(slower) + " slower, " +
                     std::to_string(same) + " without a difference";
  if (open > 0) text += ", " + std::to_string(open) + " that cannot be told";
  if (apart > 0) text += ", " + std::to_string(apart) + " not compared";
  text += ".";
  if (control.verdict == Verdict::slower || control.verdict == Verdict::faster) {
    text += " The machine itself was " + std::string(verdictName(control.verdict)) + ": " +
            fixedText(control.test.ratio, 2) + " times as long for fixed work.";
  }
  if (!wrong.empty())
    text += " " + countText(std::int64_t(wrong.size()), "answer is", "answers are") +
            " not as accurate as promised.";
  return text;
}

BaselineComparison compareBaselines(const Baseline& before, const Baseline& after, double smallest) {
  const std::string problem = "Cannot compare " + after.name + " with " + before.name;
  if (before.fingerprint != after.fingerprint)
    throw Error(problem, "they timed different transforms, of " + before.scan + " and of " + after.scan,
                "Take a baseline of the same scan");
  if (before.direction != after.direction)
    throw Error(problem,
                "one timed the " + std::string(directionName(before.direction)) + ", the other the " +
                    std::string(directionName(after.direction)),
                "Take a baseline of the same direction");
  BaselineComparison comparison;
  comparison.before = before.name;
  comparison.after = after.name;
  comparison.smallest = smallest;
  comparison.differences = differencesOf(before, after);
  for (const PlanMeasurement& then : before.cases) {
    const auto now = std::find_if(after.cases.begin(), after.cases.end(),
                                  [&](const PlanMeasurement& c) { return c.name == then.name; });
    if (now == after.cases.end()) {
      BaselineRow row;
      row.name = then.name;
      row.quantity = execution;
      row.before = medianOf(then.seconds);
      row.note = "it was not timed again";
      comparison.rows.push_back(std::move(row));
    } else {
      addRows(then, *now, before, after, comparison.rows);
    }
  }
  for (const PlanMeasurement& now : after.cases)
    if (!now.answerHolds()) comparison.wrong.push_back(now.name);
  std::vector<double> p;
  for (const BaselineRow& row : comparison.rows)
    if (row.note.empty()) p.push_back(row.test.p);
  const std::vector<double> corrected = holmCorrected(p);
  std::size_t next = 0;
  if (!before.control.empty() && !after.control.empty()) {
    comparison.control = rowOf("fixed work", execution, before.control, after.control);
    comparison.control.corrected = comparison.control.test.p;
    comparison.control.verdict = verdictOf(comparison.control.corrected, comparison.control.test, smallest);
  }
  const Verdict machine = comparison.control.verdict;
  const bool changed = machine == Verdict::faster || machine == Verdict::slower;
  for (BaselineRow& row : comparison.rows) {
    if (!row.note.empty()) continue;
    row.corrected = corrected[next++];
    row.verdict = verdictOf(row.corrected, row.test, smallest);
    if (changed && row.verdict != verdictOf(row.inUnits.p, row.inUnits, smallest))
      row.verdict = Verdict::undecided;
  }
  return comparison;
}

}  // namespace spokelab
