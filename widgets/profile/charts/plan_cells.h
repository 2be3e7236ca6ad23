// Candidates arranged into the cells of a map. Columns are the α values that occur, path by path:
// the grid's α, then α_T, then one column for each path without a ratio. Rows are whole (or half)
// cells of W, rounded up, and one row for paths without W; or names: path, implementation, kernel,
// or source of kernel values.
#pragma once

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/profile/runs/profile_data.h"

namespace spokelab {

enum class PlanQuantity { time, error, memory, pareto };
enum class PlanRows { width, implementation, kernel, precomputation, path };

// The part that computes a candidate, in a word or two: "cpu blocked", "kaiser-bessel",
// "polynomial". `rows` must not be width.
QString planPart(const Candidate& candidate, PlanRows rows);
// All parts that occur, sorted.
QStringList planParts(const ProfileData& data, PlanRows rows);

// Selects one name of each part; an empty name selects all.
struct PlanFilter {
  QString implementation, kernel, precomputation, path;
  bool admits(const Candidate& candidate) const;
  bool operator==(const PlanFilter&) const = default;
};

// Values of a candidate on the map: seconds, relative l2 error or bytes; `pareto` gives seconds. 0:
// not known. measuredValue() is NaN for a plan that cannot work; an error that was not measured is
// the predicted one.
double measuredValue(const Candidate& candidate,
                     PlanQuantity quantity);  // timed or measured
double predictedValue(const Candidate& candidate,
                      PlanQuantity quantity);  // by cost and error model; memory: 0

double unitOf(PlanQuantity quantity);  // factor to the colour scale's unit: ms, MB
QString scaleTitle(PlanQuantity quantity);
QString columnLabel(const CandidatePath& path);  // "1.25", "T 2.06", "shifted"

// For each candidate, a candidate that is at least as fast, accurate and small, and better in one
// of these. -1: no such candidate, so it is on the front. -2: it is not compared (not timed,
// refused, filtered out).
std::vector<int> dominators(const ProfileData& data, const PlanFilter& filter);

// The candidate with the smallest error among those that were timed, or -1.
int mostAccurate(const ProfileData& data);

struct PlanCells {
  std::vector<CandidatePath> columns;  // path by path, each ascending in its alpha
  QStringList names;                   // names of the rows, unless these are widths
  double rowsPerCell = 1;              // of W
  // Rows are firstRow ... firstRow + rows - 1. The row of a width is W times rowsPerCell, rounded
  // up.
  int firstRow = 0, rows = 0;
  std::optional<int> noWidthRow;             // the row of paths without W, above the others
  std::map<std::pair<int, int>, int> cells;  // (column, row) -> candidate

  // True for every `stride` columns, and for each path without a ratio; its neighbour is then not
  // labelled.
  bool isLabelled(int column, int stride) const;
  // The cell of a candidate, also if the cell shows another one.
  std::pair<int, int> placeOf(const Candidate& candidate, PlanRows kind) const;
};
// A cell with several candidates shows the first by goesBefore() (profile_data.h), as the chart of
// times does, so both show the same plan at an α. On the Pareto map a candidate of the front is
// shown before beaten ones, and the tuner's choice before all.
PlanCells arrangePlans(const ProfileData& data, PlanRows rows, PlanQuantity quantity,
                       const PlanFilter& filter);

}  // namespace spokelab
