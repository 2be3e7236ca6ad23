#include "widgets/recon/history_list.h"

#include <QAction>
#include <QApplication>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "widgets/recon/difference_table.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {

HistoryList::HistoryList(HistoryModel& model, QWidget* parent)
    : QWidget(parent), model_(&model), differences_(new DifferenceTable) {
  list_ = makeRowList(this);
  list_->setAccessibleName(tr("Results"));
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->viewport()->installEventFilter(this);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  constexpr int minRows = 2;
  list_->setMinimumHeight(minRows * rowPicturePixels);
  layout->addWidget(list_, 1);
  layout->addWidget(differences_, 1);
  differences_->hide();

  const auto add = [this](const QString& text, const QKeySequence& key, auto act) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    list_->addAction(action);
    return action;
  };
  rename_ = add(tr("Rename"), {}, [this] { list_->edit(list_->currentIndex()); });  // F2 is the list's own
  delete_ = add(tr("Delete"), QKeySequence::Delete, &HistoryList::deleteSelected);
  deleteOthers_ = add(tr("Delete all others"), {}, &HistoryList::deleteOthers);

  connect(list_, &QListView::clicked, this, &HistoryList::showIndex);
  connect(list_, &QListView::activated, this, &HistoryList::showIndex);
  connect(list_, &QListView::customContextMenuRequested, this, &HistoryList::openMenu);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &HistoryList::updateDifferences);
  connect(model_, &HistoryModel::modelReset, this, &HistoryList::updateDifferences);
  connect(model_, &HistoryModel::renamed, this, &HistoryList::updateDifferences);
}

// A drag takes a row out of the window, where the list would select further rows.
bool HistoryList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress) {
    const auto* press = static_cast<QMouseEvent*>(event);
    pressed_ = press->pos();
    const bool plain = press->button() == Qt::LeftButton && press->modifiers() == Qt::NoModifier;
    draggable_ = plain ? list_->indexAt(pressed_).data(ResultIdRole).toInt() : 0;
  } else if (event->type() == QEvent::MouseButtonRelease) {
    draggable_ = 0;
  } else if (event->type() == QEvent::MouseMove && draggable_ != 0) {
    const QPoint way = static_cast<QMouseEvent*>(event)->pos() - pressed_;
    if (way.manhattanLength() >= QApplication::startDragDistance())
      Q_EMIT dragRequested(std::exchange(draggable_, 0));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

std::vector<int> HistoryList::selected() const {
  std::vector<int> ids;
  for (const QModelIndex& index : list_->selectionModel()->selectedIndexes())
    ids.push_back(index.data(ResultIdRole).toInt());
  std::sort(ids.begin(), ids.end());
  return ids;
}

void HistoryList::select(const std::vector<int>& ids) {
  QItemSelection selection;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex index = model_->index(row);
    if (std::find(ids.begin(), ids.end(), index.data(ResultIdRole).toInt()) != ids.end())
      selection.select(index, index);
  }
  list_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

// A click that selects a second one (Ctrl, Shift) does not show it.
void HistoryList::showIndex(const QModelIndex& index) {
  if (selected().size() <= 1) Q_EMIT showRequested(index.data(ResultIdRole).toInt());
}

void HistoryList::deleteSelected() {
  if (const std::vector<int> ids = selected(); !ids.empty()) Q_EMIT deleteRequested(ids);
}

void HistoryList::deleteOthers() {
  const std::vector<int> selectedIds = selected();
  std::vector<int> others;
  for (const HistoryEntry& entry : model_->entries())
    if (std::find(selectedIds.begin(), selectedIds.end(), entry.id) == selectedIds.end())
      others.push_back(entry.id);
  if (!selectedIds.empty() && !others.empty()) Q_EMIT deleteRequested(others);
}

void HistoryList::updateDifferences() {
  const std::vector<int> ids = selected();
  const HistoryEntry* left = ids.size() == 2 ? model_->find(ids[0]) : nullptr;
  const HistoryEntry* right = ids.size() == 2 ? model_->find(ids[1]) : nullptr;
  differences_->setVisible(left && right);
  if (!left || !right) return differences_->clear();
  differences_->setResults(*left, *right);
  // Scroll a dock that is too small for both.
  for (QWidget* widget = parentWidget(); widget; widget = widget->parentWidget())
    if (auto* place = qobject_cast<QScrollArea*>(widget)) place->ensureWidgetVisible(differences_);
}

void HistoryList::openMenu(const QPoint& position) {
  const QModelIndex index = list_->indexAt(position);
  if (!index.isValid()) return;
  const int id = index.data(ResultIdRole).toInt();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Show"), this, [this, id] { Q_EMIT showRequested(id); });
  if (id == model_->reference()) {
    menu->addAction(tr("Stop comparing with it"), this, [this] { Q_EMIT referenceRequested(0); });
  } else {
    menu->addAction(tr("Compare with it"), this, [this, id] { Q_EMIT referenceRequested(id); });
  }
  menu->addAction(tr("Lay over the image"), this, [this, id] { Q_EMIT overRequested(id); });
  QAction* use =
      menu->addAction(tr("Use its parameters"), this, [this, id] { Q_EMIT parametersRequested(id); });
  use->setToolTip(tr("The panel takes the parameters of this result, with its α and W"));
  menu->addAction(tr("Save image…"), this, [this, id] { Q_EMIT saveRequested(id); });
  menu->addAction(tr("Copy as command line"), this, [this, id] { Q_EMIT commandRequested(id); });
  menu->addAction(tr("Copy as Python"), this, [this, id] { Q_EMIT pythonRequested(id); });
  menu->addAction(tr("Copy as C"), this, [this, id] { Q_EMIT cRequested(id); });
  menu->addSeparator();
  menu->addActions({rename_, delete_, deleteOthers_});
  deleteOthers_->setEnabled(int(selected().size()) < model_->rowCount());
  menu->popup(list_->viewport()->mapToGlobal(position));
}

}  // namespace spokelab
