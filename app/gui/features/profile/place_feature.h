// Marks the chosen parameters among the plans of the charts: lines follow the sliders at once, and
// soon after a ring appears at the time and the error that the models predict.
#pragma once

#include <optional>
#include <string>

#include "app/gui/features/feature.h"
#include "widgets/core/latest_job.h"
#include "widgets/profile/charts/place_mark.h"

namespace spokelab {

class PlaceFeature : public Feature {
  Q_OBJECT

 public:
  PlaceFeature(Session& session, const Views& views, QObject* parent);
  ~PlaceFeature() override;

  const std::optional<PlanPlace>& place() const { return place_; }

 Q_SIGNALS:
  void predicted(double milliseconds);  // since the parameters changed

 private:
  struct Prepared;  // what all predictions for a scan and its options share

  void follow();
  void prepare(const ReconOptions& options, const std::string& key);
  void predict(const ReconOptions& options);
  void show(const std::optional<PlanPlace>& place);

  std::optional<PlanPlace> place_;
  std::shared_ptr<const Prepared> prepared_;
  std::string preparing_;  // the key of what is being prepared
  double changed_ = 0;     // when, in seconds of now()
  LatestJob<std::shared_ptr<const Prepared>> preparation_;
  LatestJob<PlanPlace> prediction_;
};

}  // namespace spokelab
