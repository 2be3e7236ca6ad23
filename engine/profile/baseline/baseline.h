// Timings that are kept, and compared with those of a later version, driver or machine, case by case.
//
// How they are taken: a case is one plan. A round makes every plan anew, in random order: points set, one execution to
// warm up, then `executions` ones, whose median is the round's time. New plans and the shuffled order make rounds
// independent repeats: what lies where in memory, and what the machine did beside, differs from one to the next. The
// first round warms the machine up, measures each plan's error against exact sums, and is not kept. Each round also
// times a fixed piece of work, the same in all versions: how the machine itself compares.
//
// How they are compared: rank_test.h. Faster or slower is said where Holm's correction over all rows leaves p < 0.05 and
// the ratio is at least as far from 1 as what matters (`smallest`); all else is "no difference", with the interval that
// says how large one could have been missed. Where the fixed work itself took another time, a plan is faster or slower
// only if it still is in units of the fixed work of its rounds; else nobody can tell. Copies between host and GPU are rows of their own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/baseline/rank_test.h"
#include "engine/recon/backend.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {

struct BaselineCase {
  std::string name;                                            // says the plan; unique in a baseline
  Candidate plan;                                              // settled; measuredError: the answer's check
  std::vector<double> seconds, setUpSeconds, transferSeconds;  // one a round
  bool answerHolds() const;  // the measured error is within what was promised
};

struct Baseline {
  std::string name;
  std::string scan;         // path or "demo"
  std::string fingerprint;  // transformFingerprint()
  ReadOptions reading;
  ReconOptions options;
  Direction direction = Direction::adjoint;
  int executions = 0;                         // a round's
  std::map<std::string, std::string> origin;  // version, commit, time, cpu, clock, load, devices ...
  std::vector<double> control;                // seconds of the fixed work, one a round
  std::vector<BaselineCase> cases;
};

struct BaselineSettings {
  int rounds = 12;     // kept; 4 are the fewest
  int executions = 3;  // a round's
};

// Times `plans` (those that were refused are left out) on the scan. Fills cases, control, origin, executions, scan and
// fingerprint. Throws Error where no plan can run, Cancelled.
Baseline measureBaseline(const std::string& name, const Scan& scan, const ReadOptions& reading,
                         const ReconOptions& options, Direction direction,
                         const std::vector<Candidate>& plans, const std::vector<Backend*>& backends,
                         const BaselineSettings& settings, const std::string& commandLine,
                         const Progress& progress);

// The plans of a baseline timed again with its options. Plans of backends that are not here are left out. Throws Error
// where the scan asks for another transform.
Baseline measureAgain(const Baseline& before, const Scan& scan, const std::vector<Backend*>& backends,
                      const BaselineSettings& settings, const std::string& commandLine,
                      const Progress& progress);

// 64 bits over what is timed: sizes, precision and points. What the samples hold makes no difference to times.
std::string transformFingerprint(const Scan& scan, const ReconOptions& options);

enum class Verdict { faster, slower, noDifference, undecided, notCompared };
// "faster", "slower", "no difference", "cannot tell", "not compared"
std::string_view verdictName(Verdict);

struct BaselineRow {
  std::string name, quantity;  // of the case; "execution", "set-up", "transfers"
  double before = 0, after = 0, spreadBefore = 0,
         spreadAfter = 0;  // medians, in seconds; (p75 - p25) / median
  int repeatsBefore = 0, repeatsAfter = 0;
  RankTest test;
  RankTest inUnits;      // of the times over those of the fixed work
  double corrected = 1;  // p after Holm
  Verdict verdict = Verdict::notCompared;
  std::string note;  // why it was not compared
};

struct BaselineComparison {
  std::string before, after;  // names
  double smallest = 0;
  std::vector<BaselineRow> rows;
  BaselineRow control;                   // the machine's fixed work; not corrected, decides nothing
  std::vector<std::string> differences;  // of origin: "commit: a -> b"
  std::vector<std::string> wrong;        // cases whose answer is not what was promised

  int count(Verdict) const;  // of execution rows
  std::string summary() const;
};

// smallest: the relative change that matters. Throws Error where they are of other transforms or directions.
BaselineComparison compareBaselines(const Baseline& before, const Baseline& after, double smallest = 0.02);

nlohmann::json toJson(const Baseline& baseline);
nlohmann::json toJson(const BaselineComparison& comparison);
std::string toCsv(const BaselineComparison& comparison);
void writeBaseline(const Baseline& baseline, const std::filesystem::path& file);  // atomically
Baseline readBaseline(const std::filesystem::path& file);                         // throws Error

// The candidates in the JSON of a sweep, a tuning, a report or a baseline. Throws Error.
std::vector<Candidate> plansIn(const std::filesystem::path& json);

}  // namespace spokelab
