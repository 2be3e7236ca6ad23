#include "widgets/recon/history_list.h"

#include <QListView>
#include <QMenu>
#include <QVBoxLayout>

#include "widgets/recon/row_delegate.h"

namespace spokelab {

HistoryList::HistoryList(HistoryModel& model, QWidget* parent) : QWidget(parent), model_(&model) {
  list_ = makeRowList(this);
  list_->setAccessibleName(tr("Results"));
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(list_);
  const auto show = [this](const QModelIndex& index) {
    Q_EMIT showRequested(index.data(ResultIdRole).toInt());
  };
  connect(list_, &QListView::clicked, this, show);
  connect(list_, &QListView::activated, this, show);
  connect(list_, &QListView::customContextMenuRequested, this, &HistoryList::openMenu);
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
  menu->addAction(tr("Save image…"), this, [this, id] { Q_EMIT saveRequested(id); });
  menu->addAction(tr("Copy as command line"), this, [this, id] { Q_EMIT commandRequested(id); });
  menu->popup(list_->viewport()->mapToGlobal(position));
}

}  // namespace spokelab
