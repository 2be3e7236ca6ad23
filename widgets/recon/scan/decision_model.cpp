#include "widgets/recon/scan/decision_model.h"

#include <QColor>

#include <algorithm>
#include <numeric>

#include "widgets/core/chart_theme.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

QString wordsOf(const std::string& s) {
  return QString::fromStdString(s);
}

}  // namespace

void DecisionModel::setScan(std::shared_ptr<const Scan> scan) {
  beginResetModel();
  scan_ = std::move(scan);
  order_.resize(scan_ ? scan_->decisions.size() : 0);
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  std::stable_partition(order_.begin(), order_.end(),
                        [this](std::size_t i) { return scan_->decisions[i].question; });
  endResetModel();
}

const Decision& DecisionModel::at(const QModelIndex& index) const {
  return scan_->decisions[order_[std::size_t(index.row())]];
}

int DecisionModel::doubtful() const {
  return scan_ ? int(std::count_if(scan_->decisions.begin(), scan_->decisions.end(),
                                   [](const Decision& d) { return d.question; }))
               : 0;
}

int DecisionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !scan_ ? 0 : int(scan_->decisions.size());
}

QVariant DecisionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Decision& decision = at(index);
  switch (role) {
    case Qt::DisplayRole:
      return wordsOf(decision.topic);
    case TopicRole:
      return wordsOf(decision.topic);
    case ValueRole:
    case Qt::EditRole:
      return wordsOf(decision.choice);
    case SmallPrintRole:
      return decision.overridden ? tr("%1 (your choice)").arg(wordsOf(decision.evidence))
                                 : wordsOf(decision.evidence);
    case Qt::ToolTipRole:
      return wordsOf(decision.evidence);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1: %2. %3")
          .arg(wordsOf(decision.topic), wordsOf(decision.choice), wordsOf(decision.evidence));
    case MarkRole:
      if (decision.question) return ChartTheme::onScreen().limit;
      return decision.overridden ? QVariant(ChartTheme::onScreen().interpolation) : QVariant();
    case EditableRole:
      return bool(index.flags() & Qt::ItemIsEditable);
    case AlternativesRole: {
      QStringList choices{wordsOf(decision.choice)};
      for (const auto& other : decision.alternatives) {
        if (!choices.contains(wordsOf(other))) choices << wordsOf(other);
      }
      for (const QString& known : choices_.value(wordsOf(decision.topic)))
        if (!choices.contains(known)) choices << known;
      return choices;
    }
    default:
      return {};
  }
}

bool DecisionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const Decision& decision = at(index);
  const QString choice = value.toString().trimmed();
  if (choice.isEmpty() || choice == wordsOf(decision.choice)) return false;
  Q_EMIT overrideRequested(wordsOf(decision.topic), choice);
  return true;
}

bool DecisionModel::takesFreeText(const QModelIndex& index) const {
  const auto known = choices_.constFind(index.data(TopicRole).toString());
  return known != choices_.constEnd() && known->isEmpty();
}

Qt::ItemFlags DecisionModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractListModel::flags(index);
  // A scan that was made, not read, has nothing to read again.
  if (!index.isValid() || !scan_ || scan_->path.empty()) return flags;
  const bool hasChoice = data(index, AlternativesRole).toStringList().size() > 1;
  if (hasChoice || takesFreeText(index)) flags |= Qt::ItemIsEditable;
  return flags;
}

}  // namespace spokelab
