#include "widgets/profile/runs/run_table_model.h"

#include <QBrush>
#include <QFont>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/runs/profile_data.h"

namespace spokelab {
namespace {

constexpr int alphaDigits = 4, widthDigits = 2, ratioDigits = 3;
constexpr int hoverOpacity = 60;

bool isNumber(int column) {
  using M = RunTableModel;
  return (column >= M::alphaColumn && column <= M::widthColumn) ||
         (column >= M::timeColumn && column <= M::ratioColumn);
}

QString ratioText(const RankTest& ratio) {
  const QString middle = shortLabel(ratio.ratio, ratioDigits);
  if (!(ratio.low > 0) || !std::isfinite(ratio.high))
    return RunTableModel::tr("%1 (too few repeats)").arg(middle);
  return RunTableModel::tr("%1 (%2 to %3)")
      .arg(middle, shortLabel(ratio.low, ratioDigits), shortLabel(ratio.high, ratioDigits));
}

}  // namespace

void RunTableModel::setRuns(std::vector<TimedRun> runs) {
  // The pinned row is found again by its run and its place in the run.
  const std::optional<Row> before = pinned_ >= 0 ? std::optional(rows_[std::size_t(pinned_)]) : std::nullopt;
  const int number = before ? runs_[before->run].number : 0;
  beginResetModel();
  runs_ = std::move(runs);
  makeRows();
  pinned_ = hovered_ = -1;
  for (std::size_t i = 0; before && i < rows_.size(); ++i)
    if (runs_[rows_[i].run].number == number && rows_[i].plan == before->plan) pinned_ = int(i);
  endResetModel();
}

void RunTableModel::setEveryPlan(bool every) {
  if (every == every_) return;
  beginResetModel();
  every_ = every;
  makeRows();
  pinned_ = hovered_ = -1;
  endResetModel();
}

void RunTableModel::setPinned(int row) {
  pinned_ = row;
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(int(rows_.size()) - 1, columns - 1));
}

void RunTableModel::setHovered(int row) {
  if (row == hovered_ || row >= int(rows_.size())) return;
  for (const int changed : {std::exchange(hovered_, row), row})
    if (changed >= 0)
      Q_EMIT dataChanged(index(changed, 0), index(changed, columns - 1), {Qt::BackgroundRole});
}

// A run that is still being timed has none.
void RunTableModel::makeRows() {
  rows_.clear();
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (!runs_[r].timed) continue;
    const TuneResult& timed = *runs_[r].timed;
    std::optional<std::size_t> fastest;
    if (timed.best >= 0 && timed.candidates[std::size_t(timed.best)].timed())
      fastest = std::size_t(timed.best);
    for (std::size_t i = 0; i < timed.candidates.size(); ++i) {
      const Candidate& plan = timed.candidates[i];
      if (!plan.timed()) continue;
      if (every_)
        rows_.push_back({r, i});
      else if (!fastest)
        fastest = i;
      else if (timed.best < 0 && plan.cost() < timed.candidates[*fastest].cost())
        fastest = i;
    }
    if (!every_ && fastest) rows_.push_back({r, *fastest});
  }
}

const Candidate& RunTableModel::plan(int row) const {
  const Row& at = rows_[std::size_t(row)];
  return runs_[at.run].timed->candidates[at.plan];
}

std::optional<RankTest> RunTableModel::ratio(int row) const {
  return ratioOf(rows_[std::size_t(row)]);
}

std::optional<RankTest> RunTableModel::ratioOf(const Row& row) const {
  if (pinned_ < 0) return {};
  const Row& to = rows_[std::size_t(pinned_)];
  const TuneResult &mine = *runs_[row.run].timed, &other = *runs_[to.run].timed;
  if (!(mine.workload == other.workload)) return {};
  return costRatio(mine.candidates[row.plan], other.candidates[to.plan]);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(columns);
}

// To sort by.
QVariant RunTableModel::valueOf(const Row& row, int column) const {
  const Candidate& c = runs_[row.run].timed->candidates[row.plan];
  switch (column) {
    case runColumn:
      return runs_[row.run].number;
    case alphaColumn:
      return pathOf(c).alpha;
    case widthColumn:
      return c.options.width;
    case timeColumn:
      return c.cost();
    case interpolationColumn:
      return c.timings.interpolation();
    case fftColumn:
      return c.timings.fft();
    case errorColumn:
      return candidateError(c);
    case memoryColumn:
      return qlonglong(c.memory);
    case repeatsColumn:
      return c.repeats;
    case ratioColumn: {
      const auto ratio = ratioOf(row);
      return ratio ? ratio->ratio : HUGE_VAL;
    }
    default:
      return textOf(row, column);
  }
}

QString RunTableModel::textOf(const Row& row, int column) const {
  const TimedRun& run = runs_[row.run];
  const Candidate& c = run.timed->candidates[row.plan];
  const CandidatePath path = pathOf(c);
  const auto unlessZero = [](double value, const QString& text) { return value > 0 ? text : QString(); };
  switch (column) {
    case runColumn:
      return QString::fromStdString(run.title());
    case kindColumn:
      return QString::fromUtf8(runKindName(run.kind).data());
    case workloadColumn:
      return QString::fromStdString(workloadText(run.timed->workload));
    case backendColumn:
      return QString::fromStdString(c.backend);
    case pathColumn:
      return pathTitle(path);
    case alphaColumn:
      return unlessZero(path.alpha, numberLabel(path.alpha, alphaDigits));
    case widthColumn:
      return unlessZero(c.options.width, numberLabel(c.options.width, widthDigits));
    case methodColumn:
      return QString::fromUtf8(methodName(c.options.spread).data());
    case timeColumn:
      return secondsLabel(c.cost());
    case interpolationColumn:
      return unlessZero(c.timings.interpolation(), secondsLabel(c.timings.interpolation()));
    case fftColumn:
      return unlessZero(c.timings.fft(), secondsLabel(c.timings.fft()));
    case errorColumn:
      return unlessZero(candidateError(c), errorLabel(candidateError(c)));
    case memoryColumn:
      return unlessZero(double(c.memory), bytesLabel(c.memory));
    case repeatsColumn:
      return QString::number(c.repeats);
    case ratioColumn: {
      const auto ratio = ratioOf(row);
      return ratio ? ratioText(*ratio) : QString();
    }
    default:
      return QString::fromStdString(run.time).left(16).replace(QLatin1Char('T'), QLatin1Char(' '));
  }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return textOf(row, index.column());
    case Qt::TextAlignmentRole:
      return QVariant((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: {
      if (index.row() != pinned_) return {};
      QFont bold;
      bold.setBold(true);
      return bold;
    }
    case Qt::BackgroundRole: {
      if (index.row() != hovered_) return {};
      QColor under = ChartTheme::onScreen().selected;
      under.setAlpha(hoverOpacity);
      return QBrush(under);
    }
    case sortRole:
      return valueOf(row, index.column());
    case numberRole:
      return runs_[row.run].number;
    default:
      return {};
  }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  static const char* const names[columns] = {QT_TR_NOOP("run"),
                                             QT_TR_NOOP("kind"),
                                             QT_TR_NOOP("workload"),
                                             QT_TR_NOOP("on"),
                                             QT_TR_NOOP("path"),
                                             QT_TR_NOOP("α"),
                                             QT_TR_NOOP("W"),
                                             QT_TR_NOOP("method"),
                                             QT_TR_NOOP("time"),
                                             QT_TR_NOOP("interpolation"),
                                             QT_TR_NOOP("FFT"),
                                             QT_TR_NOOP("error"),
                                             QT_TR_NOOP("memory"),
                                             QT_TR_NOOP("repeats"),
                                             QT_TR_NOOP("time to pinned"),
                                             QT_TR_NOOP("began (UTC)")};
  return tr(names[section]);
}

QString RunTableModel::csv() const {
  const auto quoted = [](QString text) {
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
  };
  QString out;
  for (int column = 0; column < columns; ++column)
    out += (column > 0 ? QStringLiteral(",") : QString()) +
           quoted(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
  out += QLatin1Char('\n');
  for (const Row& row : rows_) {
    for (int column = 0; column < columns; ++column) {
      if (column > 0) out += QLatin1Char(',');
      const QVariant value = valueOf(row, column);
      if (column == runColumn || !isNumber(column))
        out += quoted(textOf(row, column));
      else if (std::isfinite(value.toDouble()))
        out += QString::number(value.toDouble(), 'g', 9);
    }
    out += QLatin1Char('\n');
  }
  return out;
}

}  // namespace spokelab
