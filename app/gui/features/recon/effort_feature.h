// What an exhaustive search would take, beside the choice of it: how many plans it would time, and how long that takes.
#pragma once

#include <QTimer>

#include "app/gui/features/feature.h"
#include "engine/nufft/tune/search/tune_estimate.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class EffortFeature : public Feature {
  Q_OBJECT

 public:
  EffortFeature(Session& session, const Views& views, QObject* parent);

 private:
  void update();

  QTimer settled_;  // since the last change of the parameters
  LatestJob<std::optional<TuneEstimate>> job_;
};

}  // namespace spokelab
