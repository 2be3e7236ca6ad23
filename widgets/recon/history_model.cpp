#include "widgets/recon/history_model.h"

#include <QColor>

#include <algorithm>

#include "engine/recon/prepare/sample_selection.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

constexpr std::size_t maxResults = 12;  // images are large

QString planText(const Reconstruction& result) {
  if (isImported(result)) return QString::fromStdString(result.plan.description);
  if (result.options.exact) return HistoryModel::tr("exact sum");
  return candidateTitle(planOf(result));
}

}  // namespace

void HistoryModel::add(const HistoryEntry& entry) {
  beginInsertRows({}, 0, 0);
  entries_.insert(entries_.begin(), entry);
  endInsertRows();
  for (int row = int(entries_.size()) - 1; row > 0 && entries_.size() > maxResults; --row) {
    const int id = entries_[std::size_t(row)].id;
    if (id == shown_ || id == reference_) continue;
    beginRemoveRows({}, row, row);
    entries_.erase(entries_.begin() + row);
    endRemoveRows();
  }
}

void HistoryModel::setEntries(std::vector<HistoryEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  shown_ = reference_ = 0;
  difference_ = -1;
  endResetModel();
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

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const HistoryEntry& entry = entries_[std::size_t(index.row())];
  const ChartTheme theme = ChartTheme::onScreen();
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1  %2").arg(entry.id).arg(entry.scan);
    case ResultIdRole:
      return entry.id;
    case ValueRole:
      return entry.result->seconds > 0 ? secondsLabel(entry.result->seconds)
                                       : QString();  // 0: an image from a file
    case SmallPrintRole: {
      QString text = planText(*entry.result);
      if (const std::string part = selectionText(entry.result->options); !part.empty())
        text += QLatin1Char('\n') + QString::fromStdString(part);
      if (entry.id == reference_) text += QLatin1Char('\n') + tr("reference of the comparison");
      if (entry.id == shown_ && reference_ != 0 && reference_ != shown_ && difference_ >= 0) {
        text += QLatin1Char('\n') +
                tr("differs from %1 by %2 (NRMSE)").arg(reference_).arg(errorLabel(difference_));
      }
      return text;
    }
    case MarkRole:
      if (entry.id == shown_) return theme.fft;
      if (entry.id == reference_) return theme.interpolation;
      return {};
    case Qt::ToolTipRole:
      return QString::fromStdString(entry.result->plan.description);
    default:
      return {};
  }
}

}  // namespace spokelab
