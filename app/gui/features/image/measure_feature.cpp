#include "app/gui/features/image/measure_feature.h"

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
  connect(views_.image, &ImagePanel::modeChanged, view_, &MeasureView::setMode);
  connect(views_.comparison, &CompareView::frameChanged, view_, &MeasureView::setFrame);
  connect(views_.comparison, &CompareView::modeChanged, view_, &MeasureView::setMode);
  connect(views_.measurement, &Measurement::toolChanged, this, [this](SliceTool tool) {
    if (tool != SliceTool::cursor) bringUp(view_);
  });
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
  view_->setImages(part(shown ? shown->result->image : nullptr), part(reference_));
}

}  // namespace spokelab
