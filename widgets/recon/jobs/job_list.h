// Lists the jobs, each with its progress, time left and a Cancel button; cancels nothing itself.
#pragma once

#include <QWidget>

#include "widgets/recon/jobs/job_model.h"

class QListView;

namespace spokelab {

class JobList : public QWidget {
  Q_OBJECT

 public:
  explicit JobList(QWidget* parent = nullptr);

  void update(const JobState& job) { model_->update(job); }
  using QWidget::update;
  JobModel* model() const { return model_; }
  QListView* list() const { return list_; }

 Q_SIGNALS:
  void cancelRequested(int id);
  void copied(const QString& command);

 private:
  void openMenu(const QPoint& position);

  JobModel* model_;
  QListView* list_;
};

}  // namespace spokelab
