// The panel's buttons for regions and lines.
#include <QLayout>
#include <QToolButton>

#include "widgets/core/tool_button.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

struct ToolButton {
  SliceTool tool;
  const char *name, *text, *help;
};
constexpr ToolButton toolButtons[] = {
    {SliceTool::ellipse, "measureEllipse", QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Ellipse"),
     QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Measure in an ellipse: drag in a slice (key O)")},
    {SliceTool::box, "measureBox", QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Box"),
     QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Measure in a box: drag in a slice (key B)")},
    {SliceTool::line, "measureLine", QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Line"),
     QT_TRANSLATE_NOOP("spokelab::ImagePanel", "Values along a line: drag in a slice (key L)")}};

}  // namespace

void ImagePanel::addMeasureButtons(QLayout* row) {
  for (std::size_t i = 0; i < measureButtons_.size(); ++i) {
    const ToolButton& b = toolButtons[i];
    measureButtons_[i] = makeToolButton(QString::fromLatin1(b.name), tr(b.text), tr(b.help), true);
    row->addWidget(measureButtons_[i]);
  }
}

void ImagePanel::setMeasurement(Measurement* measurement) {
  measurement_ = measurement;
  for (SliceView* view : views_) view->setMeasurement(measurement);
  for (std::size_t i = 0; i < measureButtons_.size(); ++i) {
    const SliceTool tool = toolButtons[i].tool;
    QToolButton* button = measureButtons_[i];
    connect(button, &QToolButton::clicked, measurement,
            [measurement, tool](bool on) { measurement->setTool(on ? tool : SliceTool::cursor); });
    connect(measurement, &Measurement::toolChanged, button,
            [button, tool](SliceTool now) { button->setChecked(now == tool); });
  }
}

}  // namespace spokelab
