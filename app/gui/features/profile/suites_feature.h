// Suites of studies and sweeps, run from a dialog.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class SuitesFeature : public Feature {
  Q_OBJECT

 public:
  SuitesFeature(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }

 private:
  void show();

  QAction* action_;
};

}  // namespace spokelab
