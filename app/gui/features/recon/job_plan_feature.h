// The plan of the next reconstruction and its memory, shown in Plan while the parameters change.
#pragma once

#include <QTimer>

#include <string>
#include <utility>
#include <vector>

#include "app/gui/features/feature.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class JobPlanFeature : public Feature {
  Q_OBJECT

 public:
  JobPlanFeature(Session& session, const Views& views, QObject* parent);

 private:
  void update();

  QTimer settled_;  // since the last change of the parameters
  LatestJob<std::vector<std::pair<std::string, std::string>>> job_;
};

}  // namespace spokelab
