#include "app/gui/features/messages_feature.h"

#include <QAction>
#include <QMainWindow>

#include "app/gui/features/banner.h"
#include "app/gui/features/job_notice.h"
#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {

MessagesFeature::MessagesFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  cancel_ = makeAction(this, tr("Cancel"), "action-cancel", Qt::Key_Escape, tr("Cancel all jobs"));
  cancel_->setEnabled(false);
  connect(cancel_, &QAction::triggered, this, [this] { session_.jobs().cancelAll(); });
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &MessagesFeature::tellJob);
  connect(&session_.jobs(), &JobQueue::jobChanged, new JobNotice(*views_.window), &JobNotice::take);
  connect(views_.jobs, &JobList::cancelRequested, &session_.jobs(), &JobQueue::cancel);
  LogView* log = views_.log;
  connect(views_.jobs, &JobList::copied, log,
          [log](const QString& line) { log->append(LogLevel::information, tr("Copied: %1").arg(line)); });
  connect(&session_, &Session::saved, log,
          [log](const QString& file) { log->append(LogLevel::information, tr("Saved %1").arg(file)); });
  connect(&session_, &Session::failed, this, [this](const Failure& failure) {
    views_.banner->showFailure(failure);
    views_.log->append(LogLevel::error, views_.banner->text());
  });
  const auto warn = [log](const QString& text) { log->append(LogLevel::warning, text); };
  connect(views_.comparison, &CompareView::message, log, warn);
  connect(views_.image, &ImagePanel::message, log, warn);
  connect(&session_, &Session::scanOpened, this, &MessagesFeature::tellScan);
  connect(&session_, &Session::resultShown, views_.banner, [this] { views_.banner->hide(); });
  connect(&session_, &Session::resultReady, this, &MessagesFeature::tellResult);
  connect(&session_, &Session::profileReady, log, [log](const TuneResult& result) {
    if (!result.reason.empty()) log->append(LogLevel::information, QString::fromStdString(result.reason));
  });
  if (const QString warning = session_.wisdomWarning(); !warning.isEmpty()) warn(warning);
}

void MessagesFeature::tellJob(const JobState& state) {
  views_.jobs->update(state);
  LogView& log = *views_.log;
  if (state.status == JobStatus::waiting) log.append(LogLevel::detail, tr("Asked for: %1").arg(state.title));
  if (state.status == JobStatus::done)
    log.append(LogLevel::detail, tr("Done: %1 in %2").arg(state.title, secondsLabel(state.seconds)));
  if (state.status == JobStatus::cancelled)
    log.append(LogLevel::information, tr("Cancelled: %1").arg(state.title));
  cancel_->setEnabled(session_.jobs().busy());
}

void MessagesFeature::tellScan(const std::shared_ptr<const Scan>& scan) {
  views_.banner->hide();
  if (!scan) return;
  const QString where = QString::fromStdString(scan->path.empty() ? scan->name : scan->path);
  views_.log->append(LogLevel::information, tr("Opened %1").arg(where));
  for (const auto& warning : scan->warnings)
    views_.log->append(LogLevel::warning, QString::fromStdString(warning));
}

void MessagesFeature::tellResult(const HistoryEntry& entry) {
  if (isImported(*entry.result)) return;  // nothing was computed
  views_.log->append(LogLevel::information, tr("Result %1: %2 in %3")
                                                .arg(entry.id)
                                                .arg(QString::fromStdString(entry.result->plan.description),
                                                     secondsLabel(entry.result->seconds)));
}

}  // namespace spokelab
