// The strip of first steps: from the first result on, until the user has read it once.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class StepStrip;

class FirstStepsFeature : public Feature {
  Q_OBJECT

 public:
  // remember: the strip's end is kept in the settings. Without settings the strip is not shown.
  FirstStepsFeature(Session& session, const Views& views, bool remember, QObject* parent);

  StepStrip* strip() const { return strip_; }  // null: it was read

 Q_SIGNALS:
  void sweepRequested();

 private:
  StepStrip* strip_ = nullptr;
};

}  // namespace spokelab
