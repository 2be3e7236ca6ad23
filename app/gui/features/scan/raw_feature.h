// The dock of the samples as they were measured, linked with the trajectory: what is looked at in
// one is looked at in the other, and the selected shots are the same.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class RawView;

class RawFeature : public Feature {
  Q_OBJECT

 public:
  RawFeature(Session& session, const Views& views, QObject* parent);

  RawView* view() const { return view_; }

 private:
  void showInTrajectory(int frame, qint64 shot, qint64 sample);
  void showSelection();

  RawView* view_;
};

}  // namespace spokelab
