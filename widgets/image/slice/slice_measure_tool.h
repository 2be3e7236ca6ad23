// Draws regions and lines in a slice, by mouse and by key, into the Measurement that all slice
// views share.
//   O B L   choose the tool for an ellipse, a box or a line, and draw one about the cursor;
//           again: remove it and drop the tool
//   N       what is drawn next is another region
//   [ ]     smaller, larger (the current region)
#pragma once

#include <QPointer>

#include "widgets/image/display/measurement.h"
#include "widgets/image/slice/slice_geometry.h"

class QPainter;

namespace spokelab {

class SliceMeasureTool {
 public:
  Measurement* measurement() const { return measurement_; }
  void setMeasurement(Measurement* measurement) { measurement_ = measurement; }
  // True if a drag in the slice measures.
  bool isOn() const;
  void begin(const Index3& from) { from_ = from; }
  void dragTo(const Index3& to, const SliceGeometry& geometry, const Index3& cursor);
  // True if the key is the tool's.
  bool takeKey(int key, const SliceGeometry& geometry, const Index3& cursor);
  void paint(QPainter& painter, const SliceGeometry& geometry, const Index3& cursor) const;

 private:
  void measure(const Index3& from, const Index3& to, const SliceGeometry& geometry, const Index3& cursor);
  bool toggle(SliceTool tool, bool isDrawn, const SliceGeometry& geometry, const Index3& cursor);
  bool resize(std::int64_t step, const SliceGeometry& geometry);

  QPointer<Measurement> measurement_;
  Index3 from_{0, 0, 0};
};

}  // namespace spokelab
