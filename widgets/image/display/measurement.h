// The objects that the user measures: named regions (ellipses or boxes in a slice), one of which is
// the current one, and a line. They are drawn in any slice view and shown in all.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/scan/check/region_metrics.h"

namespace spokelab {

enum class SliceTool { cursor, ellipse, box, line };

struct MeasuredLine {
  Vec3 from{0, 0, 0}, to{0, 0, 0};  // pixel numbers
  int through = 2;                  // the axis normal to its plane
  bool operator==(const MeasuredLine&) const = default;
};

// The image grid in which pixel coordinates count; size 0: not known yet.
struct MeasuredGrid {
  Index3 size{0, 0, 0};
  Vec3 spacing{1, 1, 1};  // mm
  bool operator==(const MeasuredGrid&) const = default;
};

// A region is drawn once, in pixels of one image, and is then shown in images of other sizes at the
// same place in mm. `drawn` and `grid` hold what the user drew. `region` follows from them for the
// shown image, and may be smaller than drawn or outside of it.
struct NamedRegion {
  int id = 0;  // unique within its Measurement, from 1
  QString name;
  int colour = 0;                     // ImageTheme::measured(colour)
  std::optional<ImageRegion> region;  // in pixels of the shown image; none: outside of it
  ImageRegion drawn;                  // as it was drawn, in pixels of `grid`
  MeasuredGrid grid;                  // emptied by setRegion, filled in by setMissingGrids
  bool operator==(const NamedRegion&) const = default;
};

struct MeasuredRegions {
  std::vector<NamedRegion> all;
  int current = 0;  // id; 0: none, and what is drawn next is another region
  bool operator==(const MeasuredRegions&) const = default;
};

class Measurement : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  SliceTool tool() const { return tool_; }
  void setTool(SliceTool tool);
  const MeasuredRegions& regions() const { return regions_; }
  void setRegions(MeasuredRegions regions);
  // The current one in the shown image.
  const std::optional<ImageRegion>& region() const;
  // Changes the current region; begins another one if there is none or if it is outside of the
  // image. Without a value the current region is removed.
  void setRegion(const std::optional<ImageRegion>& region);
  const NamedRegion* find(int id) const;
  void choose(int id);  // 0: none
  void remove(int id);
  void rename(int id, const QString& name);  // an empty name changes nothing
  void paint(int id, int colour);
  // Sets `region` of these ids for another shown image; `drawn` and `grid` remain.
  void place(const std::vector<std::pair<int, std::optional<ImageRegion>>>& places);
  // Tells the grid of the image in which regions without a grid were drawn. Emits nothing: nothing
  // that is shown changes, and the caller is a slot of changed().
  void setMissingGrids(const MeasuredGrid& grid);
  const std::optional<MeasuredLine>& line() const { return line_; }
  void setLine(const std::optional<MeasuredLine>& line);

 Q_SIGNALS:
  void toolChanged(spokelab::SliceTool tool);
  void changed();  // regions or line

 private:
  NamedRegion* at(int id);
  NamedRegion newRegion() const;

  SliceTool tool_ = SliceTool::cursor;
  MeasuredRegions regions_;
  std::optional<MeasuredLine> line_;
};

}  // namespace spokelab
