// Two time lines: the whole last job, and the scheduler, each with numbers and a legend, a button
// that exports the first, and a button that records the second.
#pragma once

#include <QWidget>

#include <memory>

#include "engine/core/measure/trace.h"
#include "engine/nufft/schedule/timeline.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace spokelab {

class TimelineChart;
class TraceChart;

class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  void setTrace(const QString& title, std::shared_ptr<const Trace> trace);  // of a job; null: none
  void setTimeline(std::shared_ptr<const Timeline> timeline);               // shows it
  void setBusy(bool busy);                                                  // one is being recorded
  TimelineChart* chart() const { return chart_; }
  TraceChart* job() const { return job_; }
  QComboBox* shownBox() const { return shown_; }
  QPushButton* recordButton() const { return record_; }
  QString summary() const;

 Q_SIGNALS:
  void recordRequested();
  void exportRequested();

 private:
  void showPart();

  QComboBox* shown_;
  QPushButton *record_, *export_;
  QLabel *summary_, *legend_;
  TraceChart* job_;
  TimelineChart* chart_;
  QStackedWidget* charts_;
  QString jobTitle_;
};

}  // namespace spokelab
