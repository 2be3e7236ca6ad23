// The scheduler's time line with what it says in numbers, a legend, and the button that records
// one.
#pragma once

#include <QWidget>

#include <memory>

#include "engine/nufft/schedule/timeline.h"

class QLabel;
class QPushButton;

namespace spokelab {

class TimelineChart;

class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  void setTimeline(std::shared_ptr<const Timeline> timeline);
  void setBusy(bool busy);  // one is being recorded
  TimelineChart* chart() const { return chart_; }
  QPushButton* recordButton() const { return record_; }
  QString summary() const;

 Q_SIGNALS:
  void recordRequested();

 private:
  QPushButton* record_;
  QLabel* summary_;
  TimelineChart* chart_;
};

}  // namespace spokelab
