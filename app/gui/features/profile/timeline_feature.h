// Records what each thread of the CPU does while samples are spread; shown in the dock "Scheduler".
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

struct Timeline;
class TimelineView;

class TimelineFeature : public Feature {
  Q_OBJECT

 public:
  TimelineFeature(Session& session, const Views& views, QObject* parent);

  // Of the plan that the CPU's tuner finds for the options.
  void record(const ReconOptions& options);

 Q_SIGNALS:
  void ready(std::shared_ptr<const spokelab::Timeline> timeline);

 private:
  TimelineView* view_;
};

}  // namespace spokelab
