#include "widgets/recon/jobs/job_model.h"

#include <QColor>

#include <algorithm>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

constexpr std::size_t maxJobs = 30;
constexpr double minShareDone = 0.03;  // of a job, to say when it ends

QString statusText(const JobState& job) {
  switch (job.status) {
    case JobStatus::waiting:
      return JobModel::tr("waiting");
    case JobStatus::running:
      return job.fraction >= 0 ? QStringLiteral("%1 %").arg(int(100 * job.fraction))
                               : JobModel::tr("running");
    case JobStatus::done:
      return secondsLabel(job.seconds);
    case JobStatus::cancelled:
      return JobModel::tr("cancelled");
    case JobStatus::failed:
      return JobModel::tr("failed");
  }
  return {};
}

QColor markOf(JobStatus status) {
  const ChartTheme theme = ChartTheme::onScreen();
  switch (status) {
    case JobStatus::running:
      return theme.fft;
    case JobStatus::done:
      return theme.chosen;
    case JobStatus::failed:
      return theme.limit;
    case JobStatus::waiting:
    case JobStatus::cancelled:
      return theme.rest;
  }
  return {};
}

}  // namespace

double secondsLeft(const JobState& job) {
  if (job.status != JobStatus::running || job.fraction < minShareDone) return -1;
  return job.seconds * (1 - job.fraction) / job.fraction;
}

void JobModel::update(const JobState& job) {
  const auto known =
      std::find_if(jobs_.begin(), jobs_.end(), [&](const JobState& j) { return j.id == job.id; });
  if (known != jobs_.end()) {
    *known = job;
    const QModelIndex changed = index(int(known - jobs_.begin()));
    Q_EMIT dataChanged(changed, changed);
    return;
  }
  beginInsertRows({}, 0, 0);
  jobs_.insert(jobs_.begin(), job);
  endInsertRows();
  if (jobs_.size() > maxJobs && jobs_.back().finished()) {
    const int last = int(jobs_.size()) - 1;
    beginRemoveRows({}, last, last);
    jobs_.pop_back();
    endRemoveRows();
  }
}

int JobModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(jobs_.size());
}

QVariant JobModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const JobState& job = jobs_[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return job.title;
    case JobIdRole:
      return job.id;
    case JobCommandRole:
      return job.command;
    case ValueRole:
      return statusText(job);
    case SmallPrintRole: {
      const double left = secondsLeft(job);
      if (left < 0) return job.what;
      return tr("%1 · about %2 left").arg(job.what, secondsLabel(left));
    }
    case MarkRole:
      return markOf(job.status);
    case ProgressRole:
      return job.status == JobStatus::running ? QVariant(job.fraction) : QVariant();
    case ButtonRole:
      return job.finished() ? QString() : tr("Cancel");
    case Qt::ToolTipRole:
      return job.what;
    default:
      return {};
  }
}

}  // namespace spokelab
