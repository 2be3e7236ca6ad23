// When which part of a whole job ran (engine/core/measure/trace.h): the job's own thread with its
// stages, in them iterations, coils and the stages of transforms; a row for each thread of the pool
// with its pieces of work; a row for each GPU's stream, its transfers among its stages, and for the
// thread that leads it where several divide a job.
#pragma once

#include <memory>

#include "engine/core/measure/trace.h"
#include "widgets/profile/timeline/bar_timeline.h"

namespace spokelab {

class TraceChart : public BarTimeline {
  Q_OBJECT

 public:
  explicit TraceChart(QWidget* parent = nullptr);

  void setTrace(std::shared_ptr<const Trace> trace);  // null: none
  const std::shared_ptr<const Trace>& trace() const { return trace_; }

  static QColor colourOf(const TraceSpan& span, const ChartTheme& theme);
  QString textOf(int interval) const override;
  QString numbers() const override;

 protected:
  QColor colourOfBar(int interval) const override;
  QString labelOf(int interval) const override;
  QString promise() const override;

 private:
  std::shared_ptr<const Trace> trace_;
};

}  // namespace spokelab
