// A time line of a whole job (engine/core/measure/trace.h). The first row is the job's thread: its
// stages, and in them iterations, coils and the stages of transforms. Each thread of the pool has a
// row of its pieces of work. Each GPU's stream has a row of its stages, transfers among them, and
// so has the thread that leads a GPU if several divide the job.
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
