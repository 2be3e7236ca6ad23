// The data of the charts: the candidates of one tune or sweep, and how they are arranged along an
// axis.
#pragma once

#include <QString>

#include <memory>
#include <optional>
#include <vector>

#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct RunTrace;

struct ProfileData {
  std::vector<Candidate> candidates;
  double accuracy = 0;               // requested relative l2 error; 0: none
  int best = -1;                     // the tuner's choice, index into candidates
  int selected = -1;                 // the user's
  QString reason;                    // why the tuner chose it, in a sentence; empty: it has not yet
  std::optional<Workload> workload;  // what was tuned for; none: not known yet
  std::vector<std::shared_ptr<const RunTrace>> traces;  // other runs, drawn behind
  MachineLoad load;                                     // while it was timed, where that is known
};

// Measured where it was, else predicted: of what the workload's direction does.
double candidateError(const Candidate& candidate);

// The tuner's own criterion: predicted error within the request.
bool meetsAccuracy(const Candidate& candidate, double accuracy);

// True if it meets the accuracy, and its repeats show no difference from those of the tuner's choice.
bool isTie(const ProfileData& data, int candidate);

// The paths that occur, the grid's first; a candidate's index among them.
std::vector<CandidatePath> pathsIn(const ProfileData& data);
int pathIndex(const std::vector<CandidatePath>& paths, const Candidate& candidate);

// Values of α (α_T) with one step are one place along the axis, in every chart.
long long alphaStep(double alpha);

// Which of two plans a place shows that both of them have, the same in charts and maps: one that was
// timed, the tuner's choice, one that meets the accuracy, then the faster of two that meet it and the
// more accurate of two that do not; the earlier one of equals. Indices into data.candidates.
bool goesBefore(const ProfileData& data, int a, int b);

// One candidate for each path and each α (α_T) of it, path by path, ascending: the timed one that
// goes before the others. Where some candidate meets the accuracy, an α with none that does is left
// out, but for the tuner's choice. Indices into data.candidates.
std::vector<int> fastestForEachAlpha(const ProfileData& data);

enum class Along { alpha, width };
// Where a candidate lies along an axis; none: its path has no such number.
std::optional<double> placeAlong(const Candidate& candidate, Along along);

// Candidates that share a path and a value (α or W), sorted along the other; of several at one α and
// W the marked one, else the first. A value that only one candidate of the grid has makes no line:
// such candidates come after the lines, together, with `line` false. Then the other paths, a family
// each: one without a number along the axis is `level`, its first member the marked or the fastest.
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
