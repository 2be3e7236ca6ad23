// Measurements in the slices: regions and lines, of the shown result and of the reference.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class MeasureView;

class MeasureFeature : public Feature {
  Q_OBJECT

 public:
  MeasureFeature(Session& session, const Views& views, QObject* parent);

  MeasureView* view() const { return view_; }
  void setReference(const std::shared_ptr<const Image>& reference);  // on the grid of the shown result

 private:
  void update();

  MeasureView* view_;
  std::shared_ptr<const Image> reference_;
};

}  // namespace spokelab
