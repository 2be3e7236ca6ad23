// List model of the jobs and their progress, newest first. Roles beyond Qt's are in JobRole.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace spokelab {

enum class JobStatus { waiting, running, done, cancelled, failed };

struct JobState {
  int id = 0;
  QString title;  // "Reconstruct demo"
  QString what;   // the present step, or the reason of the failure
  JobStatus status = JobStatus::waiting;
  double fraction = 0;  // 0 … 1; negative: unknown
  double seconds = 0;   // since it began to run
  QString command{};    // the command line that does the same; empty if none does

  bool finished() const { return status != JobStatus::waiting && status != JobStatus::running; }
};

// Seconds left, if the rest runs as fast as the part so far; negative: unknown, as the job does not
// run or has hardly begun.
double secondsLeft(const JobState& job);

enum JobRole { JobIdRole = Qt::UserRole + 100, JobCommandRole };

class JobModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  // Adds the job, or replaces the row with its id. The oldest finished jobs are dropped.
  void update(const JobState& job);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<JobState> jobs_;
};

}  // namespace spokelab
