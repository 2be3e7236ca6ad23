#include "app/gui/features/job_notice.h"

#include <QApplication>
#include <QSystemTrayIcon>

#include "widgets/core/number_text.h"

namespace spokelab {

QString noticeOf(const JobState& job) {
  const bool ended = job.status == JobStatus::done || job.status == JobStatus::failed;
  if (!ended || job.seconds < minNoticeSeconds) return {};
  return (job.status == JobStatus::done ? JobNotice::tr("%1: done in %2")
                                        : JobNotice::tr("%1: failed after %2"))
      .arg(job.title, secondsLabel(job.seconds));
}

JobNotice::JobNotice(QWidget& window) : QObject(&window), window_(window) {
}

void JobNotice::take(const JobState& job) {
  const QString text = noticeOf(job);
  if (text.isEmpty() || window_.isActiveWindow()) return;
  ++noticeCount_;
  QApplication::alert(&window_);
  if (!QSystemTrayIcon::isSystemTrayAvailable()) return;
  if (!tray_) {
    tray_ = new QSystemTrayIcon(QApplication::windowIcon(), this);
    // The tray icon serves only to show the message.
    connect(tray_, &QSystemTrayIcon::messageClicked, &window_, [this] { window_.activateWindow(); });
  }
  tray_->show();
  tray_->showMessage(QApplication::applicationDisplayName(), text, QApplication::windowIcon());
}

}  // namespace spokelab
