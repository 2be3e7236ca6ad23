#include "widgets/image/image_tool_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "widgets/core/colour_map.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/tool_button.h"
#include "widgets/image/compare/compare_text.h"
#include "widgets/image/display/frame_bar.h"
#include "widgets/image/display/group_box.h"
#include "widgets/image/display/measurement.h"

namespace spokelab {
namespace {

constexpr int inset = 4, groupGap = 12;  // pixels
constexpr int swatchWidth = 40, swatchHeight = 10, frameSliderWidth = 120;

struct MeasureButton {
  SliceTool tool;
  const char *name, *text, *help;
};
constexpr MeasureButton measureButtons[] = {
    {SliceTool::ellipse, "measureEllipse", QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Ellipse"),
     QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Measure in an ellipse: drag in a slice (key O)")},
    {SliceTool::box, "measureBox", QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Box"),
     QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Measure in a box: drag in a slice (key B)")},
    {SliceTool::line, "measureLine", QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Line"),
     QT_TRANSLATE_NOOP("spokelab::ImageToolBar", "Values along a line: drag in a slice (key L)")}};

}  // namespace

ImageToolBar::ImageToolBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("imageToolBar"));
  auto* row = new FlowLayout(this);
  row->setContentsMargins(inset, 2, inset, 2);
  row->setSpacing(2);
  addModeButtons(row);
  row->addSpacing(groupGap);
  addColourMaps(row);
  addViewButtons(row);
  row->addSpacing(groupGap);
  addMeasureButtons(row);
  row->addStretch();
  groups_ = new GroupBox(QStringLiteral("groupBox"));
  row->addWidget(groups_);
  frames_ = new FrameBar(QStringLiteral("frameSlider"), frameSliderWidth);
  frames_->setToolTip(tr("Frame: repetition, phase or contrast"));
  row->addWidget(frames_);
  row->addSpacing(groupGap);
  addContentButtons(row);
}

void ImageToolBar::addModeButtons(FlowLayout* row) {
  modes_ = new QButtonGroup(this);
  const std::array<QString, 5> letters{QStringLiteral("M"), QStringLiteral("P"), QStringLiteral("R"),
                                       QStringLiteral("I"), QStringLiteral("C")};
  for (DisplayMode mode : displayModes) {
    const QString letter = letters[std::size_t(mode)];
    auto* button = makeToolButton(QStringLiteral("mode") + letter, letter,
                                  tr("%1 (key %2)").arg(displayModeTitle(mode), letter), true);
    modes_->addButton(button, int(mode));
    row->addWidget(button);
  }
  modes_->button(int(DisplayMode::magnitude))->setChecked(true);
  connect(modes_, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT modeChosen(DisplayMode(id)); });
}

void ImageToolBar::addColourMaps(FlowLayout* row) {
  maps_ = new QComboBox;
  maps_->setObjectName(QStringLiteral("colourMapBox"));
  maps_->setAccessibleName(tr("Colour map"));
  maps_->setToolTip(tr("Colours of magnitude, real and imaginary part"));
  for (const QString& name : ColourMap::sequentialNames()) {
    const QImage swatch =
        ColourMap::legend(DisplayMode::magnitude, ColourMap::sequential(name), {swatchWidth, swatchHeight});
    maps_->addItem(QPixmap::fromImage(swatch), ColourMap::title(name), name);
  }
  maps_->setIconSize({swatchWidth, swatchHeight});
  connect(maps_, &QComboBox::activated, this,
          [this](int i) { Q_EMIT colourMapChosen(maps_->itemData(i).toString()); });
  row->addWidget(maps_);
}

void ImageToolBar::addViewButtons(FlowLayout* row) {
  smooth_ = makeToolButton(QStringLiteral("smoothButton"), tr("Smooth"),
                           tr("Interpolate between pixels (never phase or complex)"), true);
  smooth_->setChecked(true);
  connect(smooth_, &QToolButton::toggled, this, &ImageToolBar::smoothToggled);
  maximumIntensity_ = makeToolButton(QStringLiteral("mipButton"), tr("MIP"),
                                     tr("Volume: maximum intensity projection"), true);
  maximumIntensity_->setChecked(true);
  connect(maximumIntensity_, &QToolButton::toggled, this, &ImageToolBar::maximumIntensityToggled);
  fit_ = makeToolButton(QStringLiteral("resetViewsButton"), tr("Fit"),
                        tr("Fit views and window to the image (double click)"), false);
  connect(fit_, &QToolButton::clicked, this, &ImageToolBar::fitRequested);
  for (QToolButton* button : {smooth_, maximumIntensity_, fit_}) row->addWidget(button);
}

void ImageToolBar::addMeasureButtons(FlowLayout* row) {
  for (std::size_t i = 0; i < measureButtons_.size(); ++i) {
    const MeasureButton& b = measureButtons[i];
    measureButtons_[i] = makeToolButton(QString::fromLatin1(b.name), tr(b.text), tr(b.help), true);
    row->addWidget(measureButtons_[i]);
  }
}

void ImageToolBar::addContentButtons(FlowLayout* row) {
  nrmse_ = new QLabel;
  nrmse_->setObjectName(QStringLiteral("nrmseLabel"));
  image_ = makeToolButton(QStringLiteral("showImageButton"), tr("Image"), tr("Show the image"), true);
  difference_ = makeToolButton(QStringLiteral("showDifferenceButton"), tr("Difference"),
                               tr("Show the difference"), true);
  auto* contents = new QButtonGroup(this);
  contents->addButton(image_, 0);
  contents->addButton(difference_, 1);
  image_->setChecked(true);
  connect(contents, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT differenceChosen(id == 1); });
  row->addWidget(nrmse_);
  row->addWidget(image_);
  row->addWidget(difference_);
  drag_ = new DragGrip(QStringLiteral("dragImage"),
                       tr("Drag the picture to another program; a click copies it"), [this] {
                         return DragContent{tr("image"), pictureBelow(*this), {}};
                       });
  row->addWidget(drag_);
}

void ImageToolBar::offer(const Offer& offer) {
  image_->setVisible(offer.image && offer.reference);
  difference_->setVisible(offer.image && offer.reference);
  difference_->setEnabled(offer.obstacle.isEmpty());
  const QString meaning = offer.referenceName.isEmpty()
                              ? tr("Show the difference from the reference (key D)")
                              : tr("Show the difference from %1 (key D)").arg(offer.referenceName);
  difference_->setToolTip(offer.obstacle.isEmpty() ? meaning : offer.obstacle);
  (offer.wantsDifference ? difference_ : image_)->setChecked(true);
  groups_->setGroups(offer.groups, offer.group);
  frames_->setFrames(offer.frames, offer.frameAxes);
  frames_->showFrame(offer.frame);
  for (QAbstractButton* button : modes_->buttons()) button->setEnabled(offer.image);
  const bool sequential = offer.mode != DisplayMode::phase && offer.mode != DisplayMode::complex;
  maps_->setEnabled(offer.image && sequential);
  smooth_->setEnabled(offer.image && sequential);
  fit_->setEnabled(offer.image);
  drag_->setEnabled(offer.image);
  maximumIntensity_->setVisible(offer.image && offer.volume);
}

void ImageToolBar::setNrmse(double nrmse, bool visible, bool ofMagnitudes) {
  nrmse_->setVisible(visible);
  nrmse_->setText(nrmseText(nrmse, ofMagnitudes));
}

void ImageToolBar::setMode(DisplayMode mode) {
  modes_->button(int(mode))->setChecked(true);
}

void ImageToolBar::setColourMap(const QString& name) {
  maps_->setCurrentIndex(maps_->findData(name));
}

bool ImageToolBar::isSmooth() const {
  return smooth_->isChecked();
}

void ImageToolBar::setSmooth(bool on) {
  smooth_->setChecked(on);
}

bool ImageToolBar::isMaximumIntensity() const {
  return maximumIntensity_->isChecked();
}

void ImageToolBar::setMaximumIntensity(bool on) {
  maximumIntensity_->setChecked(on);
}

void ImageToolBar::disableVolume(const QString& why) {
  maximumIntensity_->setEnabled(false);
  maximumIntensity_->setToolTip(why);
}

void ImageToolBar::setMeasurement(Measurement* measurement) {
  for (std::size_t i = 0; i < measureButtons_.size(); ++i) {
    const SliceTool tool = measureButtons[i].tool;
    QToolButton* button = measureButtons_[i];
    connect(button, &QToolButton::clicked, measurement,
            [measurement, tool](bool on) { measurement->setTool(on ? tool : SliceTool::cursor); });
    connect(measurement, &Measurement::toolChanged, button,
            [button, tool](SliceTool now) { button->setChecked(now == tool); });
  }
}

}  // namespace spokelab
