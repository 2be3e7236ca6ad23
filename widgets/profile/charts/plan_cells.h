// Candidates arranged into the cells of a map. Columns are the α values that occur, path by path: the
// grid's, then those of α_T, then one for each path without a ratio. Rows are whole (or half) cells of
// W, rounded up, and one for paths that have no W; or the names of what computes the plan: its path,
// implementation, kernel, or source of kernel values.
#pragma once

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/profile/charts/profile_data.h"

namespace spokelab {

enum class PlanQuantity { time, error, memory, pareto };
enum class PlanRows { width, implementation, kernel, precomputation, path };

// What computes a candidate, in a word or two; `rows` is not width. "cpu blocked", "kaiser-bessel",
// "polynomial".
QString planPart(const Candidate& candidate, PlanRows rows);
// All that occur, sorted.
QStringList planParts(const ProfileData& data, PlanRows rows);

// Of each part one name, or all where the name is empty.
struct PlanFilter {
  QString implementation, kernel, precomputation, path;
  bool admits(const Candidate& candidate) const;
  bool operator==(const PlanFilter&) const = default;
};

// NaN: it cannot work; 0: not known. The Pareto front is coloured by time.
double measuredValue(const Candidate& candidate,
                     PlanQuantity quantity);  // what was measured, error: else predicted
double predictedValue(const Candidate& candidate,
                      PlanQuantity quantity);  // by cost and error model; memory: 0

double unitOf(PlanQuantity quantity);  // of a map's colour scale: ms, MB
QString scaleTitle(PlanQuantity quantity);
QString columnLabel(const CandidatePath& path);  // "1.25", "T 2.06", "shifted"

// For each candidate one that is at least as fast, as accurate and as small, and better in one of
// these; -1: there is none, so it lies on the front; -2: it has no part in it (not timed, refused,
// filtered out).
std::vector<int> dominators(const ProfileData& data, const PlanFilter& filter);

// The candidate with the smallest error among those that were timed, or -1.
int mostAccurate(const ProfileData& data);

struct PlanCells {
  std::vector<CandidatePath> columns;  // path by path, each ascending in its alpha
  QStringList names;                   // of the rows, where these are no widths
  double rowsPerCell = 1;              // of W
  int firstRow = 0, rows = 0;
  std::optional<int> noWidthRow;             // of W: that of paths without one, above the others
  std::map<std::pair<int, int>, int> cells;  // (column, row) -> candidate

  // Every so many columns, and each path without a ratio, whose neighbour gives way.
  bool isLabelled(int column, int stride) const;
  // Where a candidate lies, whether or not its cell shows it.
  std::pair<int, int> placeOf(const Candidate& candidate, PlanRows kind) const;
};
// Of several candidates in a cell the one that goes before the others (profile_data.h), as in the chart
// of times, whose plan at an α is therefore that of its cell; on the Pareto map, which asks another
// question, one of the front goes before those that are beaten, and the tuner's choice before all.
PlanCells arrangePlans(const ProfileData& data, PlanRows rows, PlanQuantity quantity,
                       const PlanFilter& filter);

}  // namespace spokelab
