#include "app/gui/features/image/measure_feature.h"

#include <algorithm>
#include <cmath>

#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measure_view.h"

namespace spokelab {

MeasureFeature::MeasureFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new MeasureView) {
  addTab(views_, "measure", tr("Measure"), view_);
  view_->setMeasurement(views_.measurement);
  views_.image->setMeasurement(views_.measurement);
  views_.comparison->setMeasurement(views_.measurement);
  connect(views_.image, &ImagePanel::groupChanged, this, &MeasureFeature::update);
  connect(views_.image, &ImagePanel::frameChanged, view_, &MeasureView::setFrame);
  connect(views_.image, &ImagePanel::cursorMoved, view_, &MeasureView::setCursor);
  connect(views_.image, &ImagePanel::modeChanged, view_, &MeasureView::setMode);
  connect(views_.comparison, &CompareView::frameChanged, view_, &MeasureView::setFrame);
  connect(views_.comparison, &CompareView::modeChanged, view_, &MeasureView::setMode);
  connect(views_.measurement, &Measurement::toolChanged, this, [this](SliceTool tool) {
    if (tool != SliceTool::cursor) bringUp(view_);
  });
  connect(views_.measurement, &Measurement::changed, this, &MeasureFeature::keep);
  connect(&session_, &Session::scanOpened, this, &MeasureFeature::takeScan);
  connect(&session_, &Session::nothingShown, this, &MeasureFeature::update);
  connect(&session_, &Session::resultShown, this, &MeasureFeature::update);
}

void MeasureFeature::setReference(const std::shared_ptr<const Image>& reference) {
  reference_ = reference;
  update();
}

void MeasureFeature::update() {
  const HistoryEntry* shown = session_.shown();
  const auto part = [&](const auto& image) { return shown ? views_.image->partOf(image) : nullptr; };
  const auto image = part(shown ? shown->result->image : nullptr);
  if (image) fit(*image);
  view_->setImages(image, part(reference_));
}

void MeasureFeature::takeScan() {
  const auto scan = session_.scan();
  const std::string now = !scan ? std::string() : scan->fingerprint.empty() ? scan->name : scan->fingerprint;
  if (now == scan_) return;
  ofScans_[scan_] = drawn_;
  scan_ = now;
  const auto known = ofScans_.find(now);
  const Measures own = known == ofScans_.end() ? Measures() : known->second;
  fitting_ = true;
  views_.measurement->setRegion(own.region);
  views_.measurement->setLine(own.line);
  fitting_ = false;
  drawn_ = own;
}

void MeasureFeature::keep() {
  if (fitting_) return;
  drawn_.region = views_.measurement->region();
  drawn_.line = views_.measurement->line();
  const auto& image = views_.image->image();
  if (!image) return;
  drawn_.size = image->size;
  drawn_.spacing = pixelAxes(*image).spacing;
}

// The same place in mm from the centre, pixel floor(N/2); a region outside is not shown.
void MeasureFeature::fit(const Image& image) {
  const Vec3 spacing = pixelAxes(image).spacing;
  if (drawn_.size[0] == 0 || (!drawn_.region && !drawn_.line)) return;
  const auto moved = [&](double index, std::size_t d) {
    return (index - double(drawn_.size[d] / 2)) * drawn_.spacing[d] / spacing[d] + double(image.size[d] / 2);
  };
  std::optional<ImageRegion> region = drawn_.region;
  std::optional<MeasuredLine> line = drawn_.line;
  for (std::size_t d = 0; d < 3 && drawn_.size != image.size; ++d) {
    if (region) {
      // Half a pixel beyond the outer ones: the edges of the region.
      constexpr double half = 0.5;
      const double low = moved(double(region->low[d]) - half, d) + half,
                   high = moved(double(region->high[d]) + half, d) - half;
      region->low[d] = std::int64_t(std::lround(std::min(low, high)));
      region->high[d] = std::int64_t(std::lround(std::max(low, high)));
      if (region->high[d] < 0 || region->low[d] >= image.size[d]) region.reset();
    }
    if (region) {
      region->low[d] = std::clamp<std::int64_t>(region->low[d], 0, image.size[d] - 1);
      region->high[d] = std::clamp<std::int64_t>(region->high[d], region->low[d], image.size[d] - 1);
    }
    if (!line) continue;
    line->from[d] = std::clamp(moved(line->from[d], d), 0.0, double(image.size[d] - 1));
    line->to[d] = std::clamp(moved(line->to[d], d), 0.0, double(image.size[d] - 1));
  }
  fitting_ = true;
  views_.measurement->setRegion(region);
  views_.measurement->setLine(line);
  fitting_ = false;
}

}  // namespace spokelab
