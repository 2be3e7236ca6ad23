// The live charts: fed by the session's candidates, with a mark on the plan of the image that is
// shown, and saved as pictures.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

enum class ChartFormat;
enum class ChartKind;

class ChartsFeature : public Feature {
  Q_OBJECT

 public:
  ChartsFeature(Session& session, const Views& views, QObject* parent);

  void markShownPlan();  // the plan of the image that is shown, where the charts have it

 private:
  void save(ChartKind kind, ChartFormat format);
};

}  // namespace spokelab
