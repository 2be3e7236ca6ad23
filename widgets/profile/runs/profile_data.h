// The data of the charts: the candidates of one tune or sweep, and how they are arranged along an
// axis.
#pragma once

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/measure/machine_load.h"
#include "engine/nufft/tune/result/candidate.h"
#include "engine/nufft/tune/sweep/candidate_path.h"

namespace spokelab {

struct RunTrace;

struct ProfileData {
  std::vector<Candidate> candidates;
  double accuracy = 0;  // requested relative l2 error; 0: none
  int best = -1;        // the tuner's choice, index into candidates
  int selected = -1;    // the user's
  // The selected plan was picked in a chart, and no image of it was asked for yet.
  bool picked = false;
  QString reason;  // why the tuner chose it, in a sentence; empty: it has not yet
  // From here on, candidates are plans of reconstructions beside the run: they were timed while an
  // image was made. Negative: there are none.
  int firstOfResults = -1;
  std::optional<Workload> workload;                     // what was tuned for; none: not known yet
  std::vector<std::shared_ptr<const RunTrace>> traces;  // other runs, drawn behind
  std::map<std::string, double> ceilings;               // bytes a second of a backend's memory, measured
  MachineLoad load;                                     // while it was timed, where that is known
};

// The plan that was picked; null: none.
const Candidate* pickedPlan(const ProfileData& data);

// Measured where it was, else predicted: of what the workload's direction does.
double candidateError(const Candidate& candidate);

// True if the predicted error in the workload's direction is within the request.
bool meetsAccuracy(const Candidate& candidate, double accuracy);

// True if the candidate meets the accuracy and its repeats do not differ from the tuner's choice.
bool isTie(const ProfileData& data, int candidate);

// The paths that occur, the grid's first; a candidate's index among them.
std::vector<CandidatePath> pathsIn(const ProfileData& data);
int pathIndex(const std::vector<CandidatePath>& paths, const Candidate& candidate);

// Values of α (α_T) with one step are one place along the axis, in every chart.
long long alphaStep(double alpha);

// True if charts and maps show plan a before plan b at a place of both. In this order: a timed
// plan, the tuner's choice, a plan that meets the accuracy, the faster of two that meet it, the
// more accurate of two that do not, the earlier one. Indices into data.candidates.
bool goesBefore(const ProfileData& data, int a, int b);

// One candidate for each path and each of its α (α_T), path by path, ascending: the first timed one
// by goesBefore(). If some candidate meets the accuracy, every α without such a candidate is left
// out, except the tuner's choice; and except, where inexact paths are shown, all of a path that has
// no such candidate at any α (a model without the field). Indices into data.candidates.
enum class InexactPaths { leftOut, shown };
std::vector<int> fastestForEachAlpha(const ProfileData& data, InexactPaths inexact = InexactPaths::leftOut);

enum class Along { alpha, width };
// A candidate's place along an axis; empty if its path has no such number.
std::optional<double> placeAlong(const Candidate& candidate, Along along);

// Candidates that share a path and a value (α or W), sorted along the other; of several at one α
// and W the marked one, else the first. A value that only one candidate of the grid has makes no
// line: such candidates come after the lines, together, with `line` false. Then the other paths, a
// family each: one without a number along the axis is `level`, its first member the marked or the
// fastest.
struct Family {
  CandidatePath path;
  double value = 0;
  bool line = true, level = false;
  std::vector<int> members;
};
std::vector<Family> families(const ProfileData& data, Along along);

// W where a line over it says more (several widths at one α), else α.
Along clearerAxis(const ProfileData& data);

}  // namespace spokelab
