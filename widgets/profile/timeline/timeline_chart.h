// One row a thread: what each thread spread when (engine/nufft/schedule/timeline.h), coloured by
// the kind of work; gaps are waits.
#pragma once

#include <memory>

#include "engine/nufft/schedule/timeline.h"
#include "widgets/profile/timeline/bar_timeline.h"

namespace spokelab {

class TimelineChart : public BarTimeline {
  Q_OBJECT

 public:
  explicit TimelineChart(QWidget* parent = nullptr);

  void setTimeline(std::shared_ptr<const Timeline> timeline);  // null: none
  const std::shared_ptr<const Timeline>& timeline() const { return timeline_; }

  static QColor colourOf(WorkKind kind, const ChartTheme& theme);
  QString textOf(int interval) const override;
  QString numbers() const override;

 protected:
  QColor colourOfBar(int interval) const override;
  QString promise() const override;

 private:
  std::shared_ptr<const Timeline> timeline_;
};

}  // namespace spokelab
