#include "widgets/recon/job_list.h"

#include <QListView>
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
  connect(delegate, &RowDelegate::buttonPressed, this,
          [this](const QModelIndex& index) { Q_EMIT cancelRequested(index.data(JobIdRole).toInt()); });
}

}  // namespace spokelab
