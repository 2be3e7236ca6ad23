// The objects that the user measures: a region (ellipse or box in a slice) and a line, drawn in any
// slice view and shown in all.
#pragma once

#include <optional>

#include <QObject>

#include "engine/scan/check/region_metrics.h"

namespace spokelab {

enum class SliceTool { cursor, ellipse, box, line };

struct MeasuredLine {
  Vec3 from{0, 0, 0}, to{0, 0, 0};  // pixel numbers
  int through = 2;                  // the axis normal to its plane
  bool operator==(const MeasuredLine&) const = default;
};

class Measurement : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  SliceTool tool() const { return tool_; }
  void setTool(SliceTool tool) {
    if (tool == tool_) return;
    tool_ = tool;
    Q_EMIT toolChanged(tool);
  }
  const std::optional<ImageRegion>& region() const { return region_; }
  void setRegion(const std::optional<ImageRegion>& region) {
    if (region == region_) return;
    region_ = region;
    Q_EMIT changed();
  }
  const std::optional<MeasuredLine>& line() const { return line_; }
  void setLine(const std::optional<MeasuredLine>& line) {
    if (line == line_) return;
    line_ = line;
    Q_EMIT changed();
  }

 Q_SIGNALS:
  void toolChanged(spokelab::SliceTool tool);
  void changed();  // region or line

 private:
  SliceTool tool_ = SliceTool::cursor;
  std::optional<ImageRegion> region_;
  std::optional<MeasuredLine> line_;
};

}  // namespace spokelab
