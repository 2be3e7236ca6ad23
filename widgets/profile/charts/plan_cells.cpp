#include "widgets/profile/charts/plan_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double rowSlack = 1e-6;

// True if the candidate has a place on the map: a path without a grid, or α and W.
bool hasPair(const Candidate& candidate) {
  return candidate.options.width > 0 || !pathOf(candidate).isGrid();
}

// The order of columns; α values that are nearly the same are in none.
bool before(const CandidatePath& a, const CandidatePath& b) {
  if (a.over != b.over) return a.over < b.over;
  if (a.name != b.name) return a.name < b.name;
  return alphaStep(a.alpha) < alphaStep(b.alpha);
}

int rowOf(const Candidate& candidate, double rowsPerCell) {
  return int(std::ceil(candidate.options.width * rowsPerCell - rowSlack));
}

// Rows of the map for one grid cell of W: whole cells where most widths are, else halves.
int rowsACell(const std::vector<Candidate>& candidates) {
  std::ptrdiff_t whole = 0, all = 0;
  for (const Candidate& candidate : candidates) {
    if (!pathOf(candidate).isGrid()) continue;
    ++all;
    if (std::abs(candidate.options.width - std::round(candidate.options.width)) < rowSlack) ++whole;
  }
  return 2 * whole >= all ? 1 : 2;
}

QString implementation(const Candidate& candidate) {
  const NufftOptions& options = candidate.options;
  const CandidatePath path = pathOf(candidate);
  if (isPlugin(candidate.backend)) return pathTitle(path);
  if (!path.isGrid()) return QString::fromStdString(candidate.backend) + QLatin1Char(' ') + pathTitle(path);
  QString text = QString::fromStdString(candidate.backend + ' ' + methodsText(options));
  if (options.scheduler.kind == Scheduler::graph) text += QStringLiteral(", graph");
  return text;
}

QString source(const Candidate& candidate) {
  const NufftOptions& options = candidate.options;
  if (isPlugin(candidate.backend)) return QStringLiteral("its own");
  if (!pathOf(candidate).isGrid()) return QStringLiteral("none needed");
  // One of the two may be left open.
  const auto mayStore = [](Method m) { return m == Method::automatic || storesMatrix(m); };
  if (mayStore(options.spread) && mayStore(options.interpolate)) return QStringLiteral("full matrix");
  if (candidate.backend != "cpu") return QStringLiteral("built in");
  // Without timing the CPU takes polynomials.
  const auto kind = options.precomputation == Precomputation::automatic ? Precomputation::polynomial
                                                                        : options.precomputation;
  return QString::fromUtf8(precomputationName(kind));
}

bool better(const Candidate& a, const Candidate& b) {
  const double errors[] = {candidateError(a), candidateError(b)};
  return a.cost() <= b.cost() && errors[0] <= errors[1] && a.memory <= b.memory &&
         (a.cost() < b.cost() || errors[0] < errors[1] || a.memory < b.memory);
}

}  // namespace

QString planPart(const Candidate& candidate, PlanRows rows) {
  switch (rows) {
    case PlanRows::implementation:
      return implementation(candidate);
    case PlanRows::kernel:
      return QString::fromUtf8(kernelName(resolvedKernel(candidate.options.kernel)));
    case PlanRows::precomputation:
      return source(candidate);
    case PlanRows::path:
      return pathTitle(pathOf(candidate));
    case PlanRows::width:
      break;
  }
  return {};
}

QStringList planParts(const ProfileData& data, PlanRows rows) {
  QStringList names;
  for (const Candidate& candidate : data.candidates) {
    const QString name = planPart(candidate, rows);
    if (hasPair(candidate) && !names.contains(name)) names << name;
  }
  names.sort();
  return names;
}

bool PlanFilter::admits(const Candidate& candidate) const {
  const auto fits = [&](const QString& wanted, PlanRows rows) {
    return wanted.isEmpty() || wanted == planPart(candidate, rows);
  };
  return fits(implementation, PlanRows::implementation) && fits(kernel, PlanRows::kernel) &&
         fits(precomputation, PlanRows::precomputation) && fits(path, PlanRows::path);
}

double measuredValue(const Candidate& candidate, PlanQuantity quantity) {
  if (!candidate.refused.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (quantity == PlanQuantity::error) return candidateError(candidate);
  return quantity == PlanQuantity::memory ? double(candidate.memory) : candidate.cost();
}

double predictedValue(const Candidate& candidate, PlanQuantity quantity) {
  if (!candidate.refused.empty() || quantity == PlanQuantity::memory) return 0;
  return quantity == PlanQuantity::error ? candidate.predictedError() : candidate.predictedSeconds;
}

double unitOf(PlanQuantity quantity) {
  if (quantity == PlanQuantity::error) return 1;
  return quantity == PlanQuantity::memory ? 1e-6 : 1e3;
}

QString scaleTitle(PlanQuantity quantity) {
  if (quantity == PlanQuantity::error) return QStringLiteral("relative ℓ₂ error");
  return quantity == PlanQuantity::memory ? QStringLiteral("memory (MB)") : QStringLiteral("time (ms)");
}

QString columnLabel(const CandidatePath& path) {
  // Both are exact sums: their names tell them apart.
  if (path.name == "gdft" || path.name == "gdftr2")
    return path.name == "gdft" ? QStringLiteral("Gdft") : QStringLiteral("GdftR2");
  if (path.over == SweptOver::nothing)
    return path.name.ends_with("-shifted") ? QStringLiteral("shifted")
                                           : pathTitle(path).section(QLatin1Char(' '), 0, 0);
  if (isPlugin(path.name) && path.over == SweptOver::alpha &&
      pathTitle(path) == QString::fromStdString(path.name))
    return pathTitle(path).left(1) + QLatin1Char(' ') + numberLabel(path.alpha, 2);
  const char* letter = path.over == SweptOver::toeplitzAlpha ? "T "
                       : path.over == SweptOver::alpha       ? "S "
                                                             : "";
  return QLatin1String(letter) + numberLabel(path.alpha, 2);
}

std::vector<int> dominators(const ProfileData& data, const PlanFilter& filter) {
  const auto& candidates = data.candidates;
  std::vector<int> by(candidates.size(), -2);
  std::vector<int> taking;
  for (int i = 0; i < int(candidates.size()); ++i) {
    const Candidate& candidate = candidates[std::size_t(i)];
    if (candidate.timed() && candidate.refused.empty() && hasPair(candidate) && filter.admits(candidate))
      taking.push_back(i);
  }
  for (const int i : taking) {
    by[std::size_t(i)] = -1;
    for (const int j : taking) {
      if (!better(candidates[std::size_t(j)], candidates[std::size_t(i)])) continue;
      const int known = by[std::size_t(i)];  // the fastest says most
      if (known < 0 || candidates[std::size_t(j)].cost() < candidates[std::size_t(known)].cost())
        by[std::size_t(i)] = j;
    }
  }
  return by;
}

int mostAccurate(const ProfileData& data) {
  int best = -1;
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    if (!candidate.timed() || !candidate.refused.empty()) continue;
    if (best < 0 || candidateError(candidate) < candidateError(data.candidates[std::size_t(best)])) best = i;
  }
  return best;
}

bool PlanCells::isLabelled(int column, int stride) const {
  const auto alone = [this](int at) {
    return at < int(columns.size()) && columns[std::size_t(at)].over == SweptOver::nothing;
  };
  return alone(column) || (column % stride == 0 && (stride == 1 || !alone(column + 1)));
}

std::pair<int, int> PlanCells::placeOf(const Candidate& candidate, PlanRows kind) const {
  const auto column = std::lower_bound(columns.begin(), columns.end(), pathOf(candidate), before);
  const bool grid = pathOf(candidate).isGrid();
  const int row = kind != PlanRows::width ? int(names.indexOf(planPart(candidate, kind)))
                  : grid                  ? rowOf(candidate, rowsPerCell)
                                          : noWidthRow.value_or(0);
  return {int(column - columns.begin()), row};
}

PlanCells arrangePlans(const ProfileData& data, PlanRows rows, PlanQuantity quantity,
                       const PlanFilter& filter) {
  PlanCells map;
  map.rowsPerCell = rows == PlanRows::width ? rowsACell(data.candidates) : 1;
  if (rows != PlanRows::width) map.names = planParts(data, rows);
  int topRow = -1;
  bool withoutWidth = false;
  for (const Candidate& candidate : data.candidates) {
    if (!hasPair(candidate)) continue;
    const CandidatePath path = pathOf(candidate);
    map.columns.push_back(path);
    withoutWidth = withoutWidth || !path.isGrid();
    if (path.isGrid()) topRow = std::max(topRow, rowOf(candidate, map.rowsPerCell));
  }
  if (withoutWidth && rows == PlanRows::width) map.noWidthRow = topRow + 1;
  auto& columns = map.columns;
  std::sort(columns.begin(), columns.end(), before);
  columns.erase(std::unique(columns.begin(), columns.end(),
                            [](const CandidatePath& a, const CandidatePath& b) {
                              return !before(a, b) && !before(b, a);
                            }),
                columns.end());
  const std::vector<int> beaten =
      quantity == PlanQuantity::pareto ? dominators(data, filter) : std::vector<int>();
  const auto onFront = [&](int index) { return !beaten.empty() && beaten[std::size_t(index)] == -1; };
  const auto shownBefore = [&](int a, int b) {
    if (a != data.best && b != data.best && onFront(a) != onFront(b)) return onFront(a);
    return goesBefore(data, a, b);
  };
  int lastRow = 0;
  map.firstRow = std::numeric_limits<int>::max();
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    if (!hasPair(candidate) || !filter.admits(candidate)) continue;
    const auto at = map.placeOf(candidate, rows);
    map.firstRow = std::min(map.firstRow, at.second);
    lastRow = std::max(lastRow, at.second);
    const auto [place, added] = map.cells.emplace(at, i);
    if (!added && shownBefore(i, place->second)) place->second = i;
  }
  if (map.cells.empty()) map.firstRow = 0;
  if (!map.names.isEmpty()) {  // a name keeps its row, whatever the filter leaves
    map.firstRow = 0;
    map.rows = int(map.names.size());
  } else {
    map.rows = map.cells.empty() ? 0 : lastRow - map.firstRow + 1;
  }
  return map;
}

}  // namespace spokelab
