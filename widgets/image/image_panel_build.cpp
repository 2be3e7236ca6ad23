// The parts of the image panel: tool bar, grid of views, footer.
#include <QButtonGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>

#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"
#include "widgets/core/tool_button.h"
#include "widgets/image/display/colour_bar.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/image/volume/volume_view.h"
#include "widgets/image/volume/vtk_log.h"

namespace spokelab {
namespace {

constexpr int viewGap = 2;

void paintGround(QWidget* widget) {
  QPalette palette = widget->palette();
  palette.setColor(QPalette::Window, ImageTheme::background());
  palette.setColor(QPalette::WindowText, ImageTheme::hint());
  widget->setPalette(palette);
  widget->setAutoFillBackground(true);
}

}  // namespace

// --- building ---------------------------------------------------------------------------------------

QWidget* ImagePanel::makeToolBar() {
  auto* bar = new QWidget;
  bar->setObjectName(QStringLiteral("imageToolBar"));
  auto* row = new QHBoxLayout(bar);
  constexpr int inset = 4, groupGap = 12;
  row->setContentsMargins(inset, 2, inset, 2);
  row->setSpacing(2);

  modeButtons_ = new QButtonGroup(this);
  const std::array<QString, 5> letters{QStringLiteral("M"), QStringLiteral("P"), QStringLiteral("R"),
                                       QStringLiteral("I"), QStringLiteral("C")};
  for (DisplayMode mode : displayModes) {
    const QString letter = letters[std::size_t(mode)];
    auto* button = makeToolButton(QStringLiteral("mode") + letter, letter,
                                  tr("%1 (key %2)").arg(displayModeTitle(mode), letter), true);
    modeButtons_->addButton(button, int(mode));
    row->addWidget(button);
  }
  modeButtons_->button(int(mode_))->setChecked(true);
  connect(modeButtons_, &QButtonGroup::idClicked, this, [this](int id) { setMode(DisplayMode(id)); });

  row->addSpacing(groupGap);
  mapBox_ = new QComboBox;
  mapBox_->setObjectName(QStringLiteral("colourMapBox"));
  mapBox_->setAccessibleName(tr("Colour map"));
  mapBox_->setToolTip(tr("Colours of magnitude, real and imaginary part"));
  constexpr int swatchWidth = 40, swatchHeight = 10;
  for (const QString& name : ColourMap::sequentialNames()) {
    const QImage swatch =
        ColourMap::legend(DisplayMode::magnitude, ColourMap::sequential(name), {swatchWidth, swatchHeight});
    mapBox_->addItem(QPixmap::fromImage(swatch), ColourMap::title(name), name);
  }
  mapBox_->setIconSize({swatchWidth, swatchHeight});
  connect(mapBox_, &QComboBox::activated, this,
          [this](int i) { setColourMap(mapBox_->itemData(i).toString()); });
  row->addWidget(mapBox_);
  smoothButton_ = makeToolButton(QStringLiteral("smoothButton"), tr("Smooth"),
                                 tr("Interpolate between pixels (never phase or complex)"), true);
  smoothButton_->setChecked(true);
  connect(smoothButton_, &QToolButton::toggled, this, [this](bool on) {
    for (SliceView* view : views_) view->setInterpolates(on);
  });
  row->addWidget(smoothButton_);
  mipButton_ = makeToolButton(QStringLiteral("mipButton"), tr("MIP"),
                              tr("Volume: maximum intensity projection"), true);
  mipButton_->setChecked(true);
  connect(mipButton_, &QToolButton::toggled, this, [this](bool on) {
    if (on == (style_.mode == VolumeMode::maximum)) return;
    VolumeStyle style = style_;
    style.mode = on ? VolumeMode::maximum : otherMode_;
    setVolumeStyle(style);
  });
  row->addWidget(mipButton_);
  resetButton_ = makeToolButton(QStringLiteral("resetViewsButton"), tr("Fit"),
                                tr("Fit views and window to the image (double click)"), false);
  connect(resetButton_, &QToolButton::clicked, this, &ImagePanel::resetViews);
  row->addWidget(resetButton_);
  row->addSpacing(groupGap);
  addMeasureButtons(row);
  row->addStretch(1);

  frameControls_ = new QWidget;
  auto* frameRow = new QHBoxLayout(frameControls_);
  frameRow->setContentsMargins(0, 0, 0, 0);
  frameLabel_ = new QLabel;
  frameLabel_->setObjectName(QStringLiteral("frameLabel"));
  frameSlider_ = new QSlider(Qt::Horizontal);
  frameSlider_->setObjectName(QStringLiteral("frameSlider"));
  frameSlider_->setAccessibleName(tr("Frame"));
  frameSlider_->setToolTip(tr("Frame: repetition, phase or contrast"));
  constexpr int sliderWidth = 120;
  frameSlider_->setFixedWidth(sliderWidth);
  connect(frameSlider_, &QSlider::valueChanged, this, &ImagePanel::setFrame);
  frameRow->addWidget(frameLabel_);
  frameRow->addWidget(frameSlider_);
  player_ = new FramePlayer(frameSlider_);
  frameRow->addWidget(player_);
  row->addWidget(frameControls_);

  row->addSpacing(groupGap);
  nrmseLabel_ = new QLabel;
  nrmseLabel_->setObjectName(QStringLiteral("nrmseLabel"));
  row->addWidget(nrmseLabel_);
  imageButton_ = makeToolButton(QStringLiteral("showImageButton"), tr("Image"), tr("Show the image"), true);
  differenceButton_ = makeToolButton(QStringLiteral("showDifferenceButton"), tr("Difference"),
                                     tr("Show the difference"), true);
  auto* contentButtons = new QButtonGroup(this);
  contentButtons->addButton(imageButton_, 0);
  contentButtons->addButton(differenceButton_, 1);
  imageButton_->setChecked(true);
  connect(contentButtons, &QButtonGroup::idClicked, this, [this](int id) { setShowsDifference(id == 1); });
  row->addWidget(imageButton_);
  row->addWidget(differenceButton_);
  return bar;
}

void ImagePanel::connectView(SliceView* view) {
  view->setReadoutVisible(false);
  connect(view, &SliceView::cursorMoved, this, &ImagePanel::takeCursor);
  connect(view, &SliceView::windowChanged, this, &ImagePanel::takeWindow);
  connect(view, &SliceView::modeChanged, this, &ImagePanel::setMode);
  connect(view, &SliceView::hovered, this, &ImagePanel::updateReadout);
  connect(view, &SliceView::windowResetRequested, this, [this] {
    shown().windowTouched = false;
    shown().windows = shown().fitting;
    applyWindows();
    Q_EMIT windowChanged(window());
  });
}

QWidget* ImagePanel::makeGrid() {
  auto* ground = new QWidget;
  ground->setObjectName(QStringLiteral("imageGrid"));
  QPalette palette = ground->palette();
  palette.setColor(QPalette::Window, ImageTheme::frame());
  ground->setPalette(palette);
  ground->setAutoFillBackground(true);
  grid_ = new QGridLayout(ground);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(viewGap);
  for (Plane plane : imagePlanes) {
    views_[std::size_t(plane)] = new SliceView(plane);
    connectView(views_[std::size_t(plane)]);
  }
  volumePlace_ = makeVolumePlace();
  grid_->addWidget(sliceView(Plane::axial), 0, 0);
  grid_->addWidget(sliceView(Plane::coronal), 0, 1);
  grid_->addWidget(sliceView(Plane::sagittal), 1, 0);
  grid_->addWidget(volumePlace_, 1, 1);
  note_ = new QLabel(ground);
  note_->setObjectName(QStringLiteral("previewNote"));
  note_->setProperty("role", "preview");
  note_->setAttribute(Qt::WA_TransparentForMouseEvents);
  note_->hide();
  return ground;
}

QWidget* ImagePanel::makeVolumePlace() {
  QString why;
  if (!VolumeView::available(&why)) {
    auto* label = new QLabel(tr("The volume view is not available: %1.").arg(why));
    label->setObjectName(QStringLiteral("volumeUnavailable"));
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    constexpr int inset = 24;
    label->setContentsMargins(inset, inset, inset, inset);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    paintGround(label);
    mipButton_->setEnabled(false);
    mipButton_->setToolTip(label->text());
    return label;
  }
  volume_ = new VolumeView;
  connect(volume_, &VolumeView::volumeReady, this, [this] {
    Q_EMIT volumeReady(volume_->imageHigh(), VolumeView::automaticLevel * volume_->imageHigh());
  });
  connect(volume_, &VolumeView::surfaceReady, this, &ImagePanel::surfaceReady);
  connect(&VtkLog::instance(), &VtkLog::message, this, &ImagePanel::message);
  auto* caption = new QLabel(tr("Volume"), volume_);
  caption->setObjectName(QStringLiteral("volumeCaption"));
  QPalette palette = caption->palette();
  palette.setColor(QPalette::WindowText, ImageTheme::text());
  caption->setPalette(palette);
  caption->setFont(ImageTheme::smallFont(font()));
  caption->setAttribute(Qt::WA_TransparentForMouseEvents);
  constexpr int inset = 8;
  caption->move(inset, inset);
  return volume_;
}

QWidget* ImagePanel::makeFooter() {
  auto* footer = new QWidget;
  footer->setObjectName(QStringLiteral("imageFooter"));
  auto* row = new QHBoxLayout(footer);
  constexpr int inset = 6;
  row->setContentsMargins(inset, 1, inset, 1);
  readout_ = new QLabel;
  readout_->setObjectName(QStringLiteral("imageReadout"));
  readout_->setAccessibleName(tr("Value under the cursor"));
  readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  readout_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  readout_->installEventFilter(this);
  colourBar_ = new ColourBar;
  row->addWidget(readout_, 1);
  row->addWidget(colourBar_);
  return footer;
}

bool ImagePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == readout_ && event->type() == QEvent::Resize) fitReadout();
  return QWidget::eventFilter(watched, event);
}

// Place in pixels, place in the patient, value: closer together where there is little room, then without the second.
void ImagePanel::fitReadout() {
  const QStringList parts = readoutText_.split(QStringLiteral("    "), Qt::SkipEmptyParts);
  const QString close = readoutText_.simplified();
  const QString brief =
      parts.isEmpty() ? QString() : (parts.front() + QLatin1Char(' ') + parts.back()).simplified();
  QString text = readoutText_;
  for (const QString& shorter : {close, brief})
    if (readout_->fontMetrics().horizontalAdvance(text) > readout_->width()) text = shorter;
  readout_->setText(readout_->fontMetrics().elidedText(text, Qt::ElideRight, readout_->width()));
  readout_->setToolTip(text == readoutText_ ? QString() : readoutText_);
}

}  // namespace spokelab
