// A notice of the desktop when a long job ends while the user looks at another window.
#pragma once

#include <QWidget>

#include "widgets/recon/jobs/job_model.h"

class QSystemTrayIcon;

namespace spokelab {

constexpr double minNoticeSeconds = 30;

// "Sweep demo: done in 45.0 s"; empty: nothing to tell.
QString noticeOf(const JobState& job);

class JobNotice : public QObject {
  Q_OBJECT

 public:
  explicit JobNotice(QWidget& window);

  // Marks the window in the task bar, too.
  void take(const JobState& job);
  int told() const { return noticeCount_; }

 private:
  QWidget& window_;
  QSystemTrayIcon* tray_ = nullptr;
  int noticeCount_ = 0;
};

}  // namespace spokelab
