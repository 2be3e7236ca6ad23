// The choice of lambda: the dock with the images of a whole range of it, from one run of SENSE on
// the first frame and slice that the parameters name.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class LambdaView;

class LambdaFeature : public Feature {
  Q_OBJECT

 public:
  LambdaFeature(Session& session, const Views& views, QObject* parent);

  void find(const ReconOptions& options);
  LambdaView* view() const { return view_; }
  QAction* action() const { return action_; }

 Q_SIGNALS:
  void rangeFound();

 private:
  LambdaView* view_;
  QAction* action_;
};

}  // namespace spokelab
