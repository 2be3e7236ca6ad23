// Cost of an exhaustive search, shown beside its choice: the number of plans to time, and the time.
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
