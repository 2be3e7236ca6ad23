// Measurements in the slices: regions and lines, of the shown result and of the reference. They
// belong to a scan, at a place in mm: another scan has its own, and an image of other pixels shows
// them at the same place.
#pragma once

#include <map>

#include "app/gui/features/feature.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/display/orientation.h"

namespace spokelab {

class MeasureView;

class MeasureFeature : public Feature {
  Q_OBJECT

 public:
  MeasureFeature(Session& session, const Views& views, QObject* parent);

  MeasureView* view() const { return view_; }
  void setReference(const std::shared_ptr<const Image>& reference);  // on the grid of the shown result

 private:
  // The regions of a scan, and its line with the grid of pixels that its numbers belong to.
  struct Measures {
    MeasuredRegions regions;
    std::optional<MeasuredLine> line;
    MeasuredGrid grid;
  };

  void update();
  void takeScan();
  void keep();  // what was measured, for the scan
  void fit(const Image& image);

  MeasureView* view_;
  std::shared_ptr<const Image> reference_;
  std::string scan_;                         // whose measures these are
  std::map<std::string, Measures> ofScans_;  // by fingerprint, else by name
  std::optional<MeasuredLine> line_;         // as the user drew it
  MeasuredGrid lineGrid_;
  bool fitting_ = false;  // pixels change, not the place
};

}  // namespace spokelab
