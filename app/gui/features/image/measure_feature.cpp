#include "app/gui/features/image/measure_feature.h"

#include <algorithm>
#include <cmath>

#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measure_view.h"

namespace spokelab {
namespace {

double moved(double index, std::size_t d, const MeasuredGrid& from, const MeasuredGrid& to) {
  return (index - double(from.size[d] / 2)) * from.spacing[d] / to.spacing[d] + double(to.size[d] / 2);
}

// The region of other pixels; none: it is outside of them.
std::optional<ImageRegion> onGrid(ImageRegion region, const MeasuredGrid& from, const MeasuredGrid& to) {
  constexpr double half = 0.5;  // of a pixel: the edges of the region
  for (std::size_t d = 0; d < 3; ++d) {
    if (from != to) {
      const double low = moved(double(region.low[d]) - half, d, from, to) + half,
                   high = moved(double(region.high[d]) + half, d, from, to) - half;
      region.low[d] = std::int64_t(std::lround(std::min(low, high)));
      region.high[d] = std::int64_t(std::lround(std::max(low, high)));
    }
    if (region.high[d] < 0 || region.low[d] >= to.size[d]) return std::nullopt;
    region.low[d] = std::clamp<std::int64_t>(region.low[d], 0, to.size[d] - 1);
    region.high[d] = std::clamp<std::int64_t>(region.high[d], region.low[d], to.size[d] - 1);
  }
  return region;
}

MeasuredLine onGrid(MeasuredLine line, const MeasuredGrid& from, const MeasuredGrid& to) {
  if (from == to) return line;
  for (std::size_t d = 0; d < 3; ++d) {
    line.from[d] = std::clamp(moved(line.from[d], d, from, to), 0.0, double(to.size[d] - 1));
    line.to[d] = std::clamp(moved(line.to[d], d, from, to), 0.0, double(to.size[d] - 1));
  }
  return line;
}

}  // namespace

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
  ofScans_[scan_] = {views_.measurement->regions(), line_, lineGrid_};
  scan_ = now;
  const auto known = ofScans_.find(now);
  const Measures own = known == ofScans_.end() ? Measures() : known->second;
  fitting_ = true;
  views_.measurement->setRegions(own.regions);
  views_.measurement->setLine(own.line);
  fitting_ = false;
  line_ = own.line;
  lineGrid_ = own.grid;
}

void MeasureFeature::keep() {
  if (fitting_) return;
  const auto& image = views_.image->image();
  const MeasuredGrid grid = image ? MeasuredGrid{image->size, pixelAxes(*image).spacing} : MeasuredGrid{};
  if (views_.measurement->line() != line_) {
    line_ = views_.measurement->line();
    lineGrid_ = grid;
  }
  if (!image) return;
  views_.measurement->setMissingGrids(grid);
  fit(*image);  // a session's regions may have been drawn on other pixels
}

// The same place in mm from the centre, pixel floor(N/2); a region outside is not shown.
void MeasureFeature::fit(const Image& image) {
  const MeasuredGrid grid{image.size, pixelAxes(image).spacing};
  std::vector<std::pair<int, std::optional<ImageRegion>>> places;
  for (const NamedRegion& region : views_.measurement->regions().all)
    if (region.grid.size[0] > 0) places.emplace_back(region.id, onGrid(region.drawn, region.grid, grid));
  fitting_ = true;
  views_.measurement->place(places);
  if (line_ && lineGrid_.size[0] > 0) views_.measurement->setLine(onGrid(*line_, lineGrid_, grid));
  fitting_ = false;
}

}  // namespace spokelab
