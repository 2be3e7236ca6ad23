// Jobs and how far they are, newest first.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace spokelab {

enum class JobStatus { waiting, running, done, cancelled, failed };

struct JobState {
  int id = 0;
  QString title;  // "Reconstruct demo"
  QString what;   // the step in hand, or why it failed
  JobStatus status = JobStatus::waiting;
  double fraction = 0;  // 0 … 1; negative: unknown
  double seconds = 0;   // since it began to run
  QString command{};    // the command line that does the same; empty if none does

  bool finished() const { return status != JobStatus::waiting && status != JobStatus::running; }
};

// Seconds left, from the share done so far; negative where that is too little to tell.
double secondsLeft(const JobState& job);

enum JobRole { JobIdRole = Qt::UserRole + 100, JobCommandRole };

class JobModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  // Adds the job, or replaces its row. Old finished jobs are dropped.
  void update(const JobState& job);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<JobState> jobs_;
};

}  // namespace spokelab
