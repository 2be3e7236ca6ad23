#include "widgets/recon/history_model.h"

#include <QColor>

#include <algorithm>
#include <utility>

#include "engine/core/text.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/run/result_text.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/image/slice/thumbnail.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

constexpr std::size_t maxResults = 12;               // images are large
constexpr int picturePixels = 2 * rowPicturePixels;  // sharp on a screen of scale 2

// The plan that computed the result; the result's name tells the rest.
QString planText(const Reconstruction& result) {
  if (isImported(result) || result.options.exact) return {};
  return candidateTitle(planOf(result));
}

QString lambdaText(double lambda) {
  return QStringLiteral("λ ") + QString::fromStdString(numberText(lambda, 3));
}

QImage pictureOf(const Reconstruction& result) {
  return result.image ? thumbnail(*result.image, picturePixels) : QImage();
}

}  // namespace

QString titleOf(const HistoryEntry& entry) {
  if (!entry.name.isEmpty()) return entry.name;
  QString title = QString::fromStdString(resultTitle(*entry.result));
  const QString last = lambdaText(entry.result->options.iterative.solver.lambda);
  for (const IterationRecord& record : entry.result->iterations) {
    if (record.lambdaChanges.empty()) continue;
    title.replace(last, lambdaText(record.lambdaChanges.front().before) + QStringLiteral("→") + last.mid(2));
    break;
  }
  return title;
}

// --- which results there are

void HistoryModel::insert(int row, HistoryEntry entry) {
  if (entry.picture.isNull()) entry.picture = pictureOf(*entry.result);
  beginInsertRows({}, row, row);
  entries_.insert(entries_.begin() + row, std::move(entry));
  endInsertRows();
}

void HistoryModel::erase(int row) {
  beginRemoveRows({}, row, row);
  entries_.erase(entries_.begin() + row);
  endRemoveRows();
}

void HistoryModel::add(const HistoryEntry& entry) {
  insert(0, entry);
  for (int row = int(entries_.size()) - 1; row > 0 && entries_.size() > maxResults; --row) {
    const int id = entries_[std::size_t(row)].id;
    if (id != shown_ && id != reference_) erase(row);
  }
}

void HistoryModel::setEntries(std::vector<HistoryEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  for (HistoryEntry& entry : entries_) entry.picture = pictureOf(*entry.result);
  shown_ = reference_ = 0;
  difference_ = -1;
  endResetModel();
}

std::vector<HistoryEntry> HistoryModel::remove(const std::vector<int>& ids) {
  std::vector<HistoryEntry> removed;
  for (const int id : ids) {
    const HistoryEntry* entry = find(id);
    if (!entry) continue;
    removed.push_back(*entry);
    erase(int(entry - entries_.data()));
  }
  return removed;
}

void HistoryModel::putBack(const std::vector<HistoryEntry>& removed) {
  for (const HistoryEntry& entry : removed) {
    if (find(entry.id)) continue;
    const auto older = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const HistoryEntry& other) { return other.id < entry.id; });
    insert(int(older - entries_.begin()), entry);
  }
}

void HistoryModel::rename(int id, const QString& name) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.id == id; });
  if (found == entries_.end() || found->name == name) return;
  const QString before = std::exchange(found->name, name);
  changed();
  Q_EMIT renamed(id, before, name);
}

void HistoryModel::setShown(int id) {
  shown_ = id;
  changed();
}

void HistoryModel::setReference(int id) {
  reference_ = id;
  changed();
}

void HistoryModel::setDifference(double difference) {
  difference_ = difference;
  changed();
}

void HistoryModel::changed() {
  if (!entries_.empty()) Q_EMIT dataChanged(index(0), index(int(entries_.size()) - 1));
}

const HistoryEntry* HistoryModel::find(int id) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(entries_.size());
}

QString HistoryModel::smallPrint(const HistoryEntry& entry) const {
  QStringList first, lines;
  if (!entry.scan.isEmpty()) first << entry.scan;
  if (const QString plan = planText(*entry.result); !plan.isEmpty()) first << plan;
  if (!first.isEmpty()) lines << first.join(QStringLiteral(" · "));
  if (const std::string part = selectionText(entry.result->options); !part.empty())
    lines << QString::fromStdString(part);
  if (entry.id == reference_) lines << tr("reference of the comparison");
  if (entry.id == shown_ && reference_ != 0 && reference_ != shown_ && difference_ >= 0)
    lines << tr("differs from %1 by %2 (NRMSE)").arg(reference_).arg(errorLabel(difference_));
  return lines.join(QLatin1Char('\n'));
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const HistoryEntry& entry = entries_[std::size_t(index.row())];
  const ChartTheme theme = ChartTheme::onScreen();
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1  %2").arg(entry.id).arg(titleOf(entry));
    case Qt::EditRole:
      return titleOf(entry);
    case Qt::DecorationRole:
      return entry.picture.isNull() ? QVariant() : entry.picture;
    case ResultIdRole:
      return entry.id;
    case ValueRole:
      return entry.result->seconds > 0 ? secondsLabel(entry.result->seconds)
                                       : QString();  // 0: an image from a file
    case SmallPrintRole:
      return smallPrint(entry);
    case MarkRole:
      if (entry.id == shown_) return theme.fft;
      if (entry.id == reference_) return theme.interpolation;
      return {};
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2").arg(titleOf(entry),
                                          QString::fromStdString(entry.result->plan.description));
    default:
      return {};
  }
}

bool HistoryModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const HistoryEntry& entry = entries_[std::size_t(index.row())];
  const QString name = value.toString().simplified();
  const bool own = name != QString::fromStdString(resultTitle(*entry.result));
  rename(entry.id, own ? name : QString());
  return true;
}

Qt::ItemFlags HistoryModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractListModel::flags(index);
  return index.isValid() ? flags | Qt::ItemIsEditable : flags;
}

}  // namespace spokelab
