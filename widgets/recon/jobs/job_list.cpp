#include "widgets/recon/jobs/job_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>

#include "widgets/recon/row_delegate.h"

namespace spokelab {

JobList::JobList(QWidget* parent) : QWidget(parent) {
  model_ = new JobModel(this);
  list_ = makeRowList(this);
  list_->setAccessibleName(tr("Jobs"));
  list_->setSelectionMode(QAbstractItemView::NoSelection);
  list_->setModel(model_);
  auto* delegate = new RowDelegate(list_);
  list_->setItemDelegate(delegate);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(list_);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QListView::customContextMenuRequested, this, &JobList::openMenu);
  connect(delegate, &RowDelegate::buttonPressed, this,
          [this](const QModelIndex& index) { Q_EMIT cancelRequested(index.data(JobIdRole).toInt()); });
}

void JobList::openMenu(const QPoint& position) {
  const QModelIndex index = list_->indexAt(position);
  if (!index.isValid()) return;
  const QString command = index.data(JobCommandRole).toString();
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("jobMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* copy = menu->addAction(tr("Copy as command line"), this, [this, command] {
    QGuiApplication::clipboard()->setText(command);
    Q_EMIT copied(command);
  });
  copy->setToolTip(command);
  copy->setEnabled(!command.isEmpty());
  menu->popup(list_->viewport()->mapToGlobal(position));
}

}  // namespace spokelab
