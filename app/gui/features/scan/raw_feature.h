// The dock of the samples as they were measured, linked with the trajectory: each shows the sample
// at which the user looks in the other, and both show the selected shots. Bins of motion that are
// changed there become a file, with which the scan is read again.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class RawView;

class RawFeature : public Feature {
  Q_OBJECT

 public:
  RawFeature(Session& session, const Views& views, QObject* parent);

  RawView* view() const { return view_; }

 Q_SIGNALS:
  // Read the scan again: "4" bins of breathing, or a file with the bin of each shot.
  void binsChosen(const QString& breathing, bool ofAllMotion);

 private:
  void writeBins(const std::vector<int>& bins);
  void showInTrajectory(int frame, qint64 shot, qint64 sample);
  void showSelection();

  RawView* view_;
};

}  // namespace spokelab
