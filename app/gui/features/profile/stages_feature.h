// The stages of the shown result's job and of its transform, and the ceiling of the memory's
// bandwidth. The transform is the shown result's plan, or the plan of the chart's point that was
// clicked.
#pragma once

#include "app/gui/features/feature.h"
#include "engine/core/memory/memory_ceiling.h"

namespace spokelab {

class JobBar;
class StageView;

class StagesFeature : public Feature {
  Q_OBJECT

 public:
  StagesFeature(Session& session, const Views& views, QObject* parent);

  void measureCeiling(const QString& backend);  // of its memory

  StageView* view() const { return view_; }
  JobBar* job() const { return job_; }

 Q_SIGNALS:
  void ceilingMeasured(const QString& backend, const spokelab::MemoryCeiling& ceiling);

 private:
  void showResult(int id);
  void showCandidate(int index);
  void showCeiling(const QString& backend, const MemoryCeiling& ceiling);

  JobBar* job_;
  StageView* view_;
};

}  // namespace spokelab
