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

// The measured error; if it was not measured, the predicted one in the workload's direction.
double candidateError(const Candidate& candidate);

// True if the predicted error in the workload's direction is within the request, or if `accuracy`
// is 0.
bool meetsAccuracy(const Candidate& candidate, double accuracy);

// True if the candidate meets the accuracy, and its repeats show no difference in time from the
// tuner's choice (tiesWith()). False for the choice itself.
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

// For each path and each of its α (α_T), the first timed candidate by goesBefore(); path by path,
// ascending in α. If some candidate meets the accuracy, those that miss it are left out, except the
// tuner's choice. InexactPaths::shown keeps a path whose candidates all miss it (a model without
// the field). Indices into data.candidates.
enum class InexactPaths { leftOut, shown };
std::vector<int> fastestForEachAlpha(const ProfileData& data, InexactPaths inexact = InexactPaths::leftOut);

enum class Along { alpha, width };
// A candidate's place along an axis; empty if its path has no such number.
std::optional<double> placeAlong(const Candidate& candidate, Along along);

// Candidates grouped for drawing along an axis. Those of the grid that share a value across the
// axis (W along α, α along W) are a line, sorted along it. Of several at one α and W the marked one
// is taken, else the first. Grid candidates whose value no other one shares come after the lines,
// together, with `line` false. Each other path is a family. A path without a number along the axis
// has `level`: its first member is the marked or the fastest.
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
