// Compares baselines by rank_test.h. A plan is faster or slower if p < 0.05 after Holm's correction
// over all rows, and the ratio differs from 1 by at least `smallest`. Otherwise the verdict is "no
// difference", with the interval that tells how large a missed difference could be; where that
// interval is open, or leaves 1 out, there are too few repeats for a verdict. If the time of the
// fixed work itself changed, a verdict holds only if times in units of the fixed work of their
// rounds give the same one; else it is `undecided`. Copies between host and GPU are separate rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/profile/baseline/baseline.h"

namespace spokelab {

enum class Verdict { faster, slower, noDifference, undecided, notCompared };
// "faster", "slower", "no difference", "cannot tell", "not compared"
std::string_view verdictName(Verdict);

struct BaselineRow {
  std::string name, quantity;  // of the case; "execution", "set-up", "transfers"
  double before = 0, after = 0, spreadBefore = 0,
         spreadAfter = 0;  // medians, in seconds; (p75 - p25) / median
  int repeatsBefore = 0, repeatsAfter = 0;
  RankTest test;
  RankTest inUnits;      // test of the times divided by the fixed work's times
  double corrected = 1;  // p after Holm
  Verdict verdict = Verdict::notCompared;
  std::string note;  // why it was not compared
};

struct BaselineComparison {
  std::string before, after;  // names
  double smallest = 0;
  std::vector<BaselineRow> rows;
  BaselineRow control;                   // the machine's fixed work; its p is not corrected
  std::vector<std::string> differences;  // of origin: "commit: a -> b"
  std::vector<std::string> wrong;        // cases whose answer is not what was promised

  int count(Verdict) const;  // of execution rows
  std::string summary() const;
};

// smallest: the relative change that matters. Throws Error for other transforms or directions.
BaselineComparison compareBaselines(const Baseline& before, const Baseline& after, double smallest = 0.02);

}  // namespace spokelab
