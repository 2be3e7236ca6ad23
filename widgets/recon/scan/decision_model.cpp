#include "widgets/recon/scan/decision_model.h"

#include <QColor>

#include "widgets/core/chart_theme.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

QString text(const std::string& s) {
  return QString::fromStdString(s);
}

}  // namespace

void DecisionModel::setScan(std::shared_ptr<const Scan> scan) {
  beginResetModel();
  scan_ = std::move(scan);
  endResetModel();
}

int DecisionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !scan_ ? 0 : int(scan_->decisions.size());
}

QVariant DecisionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Decision& decision = scan_->decisions[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(decision.topic);
    case TopicRole:
      return text(decision.topic);
    case ValueRole:
    case Qt::EditRole:
      return text(decision.choice);
    case SmallPrintRole:
      return decision.overridden ? tr("%1 (your choice)").arg(text(decision.evidence))
                                 : text(decision.evidence);
    case Qt::ToolTipRole:
      return text(decision.evidence);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1: %2. %3")
          .arg(text(decision.topic), text(decision.choice), text(decision.evidence));
    case MarkRole:
      return decision.overridden ? QVariant(ChartTheme::onScreen().interpolation) : QVariant();
    case EditableRole:
      return bool(index.flags() & Qt::ItemIsEditable);
    case AlternativesRole: {
      QStringList choices{text(decision.choice)};
      for (const auto& other : decision.alternatives) {
        if (!choices.contains(text(other))) choices << text(other);
      }
      for (const QString& known : choices_.value(text(decision.topic)))
        if (!choices.contains(known)) choices << known;
      return choices;
    }
    default:
      return {};
  }
}

bool DecisionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const Decision& decision = scan_->decisions[std::size_t(index.row())];
  const QString choice = value.toString().trimmed();
  if (choice.isEmpty() || choice == text(decision.choice)) return false;
  Q_EMIT overrideRequested(text(decision.topic), choice);
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
