#include "widgets/image/image_panel.h"

#include <algorithm>
#include <utility>

#include <QBoxLayout>
#include <QKeyEvent>
#include <QTimer>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "widgets/core/colour_map.h"
#include "widgets/image/display/colour_bar.h"
#include "widgets/image/display/field_of_view.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/frame_bar.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/display/group_box.h"
#include "widgets/image/display/window_histogram.h"
#include "widgets/image/image_grid.h"
#include "widgets/image/image_tool_bar.h"
#include "widgets/image/readout_label.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/image/slice_player.h"
#include "widgets/image/volume/volume_place.h"
#include "widgets/image/volume/volume_view.h"
#include "widgets/image/volume/vtk_log.h"

namespace spokelab {
namespace {

constexpr int volumeDelayMs = 60;  // between the user's step and the volume's render
constexpr int footerInset = 6;     // pixels

constexpr const char* modeLetters = "MPRIC";

QString zoomName(Plane plane) {
  return QStringLiteral("zoom-%1").arg(int(plane));
}

}  // namespace

ImagePanel::ImagePanel(QWidget* parent)
    : QWidget(parent), contents_(new ImageContents(this)), map_(QStringLiteral("grey")) {
  setObjectName(QStringLiteral("imagePanel"));
  setAccessibleName(tr("Image"));
  volumeTimer_ = new QTimer(this);
  volumeTimer_->setSingleShot(true);
  volumeTimer_->setInterval(volumeDelayMs);
  connect(volumeTimer_, &QTimer::timeout, this, &ImagePanel::applyVolume);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = new ImageToolBar;
  column->addWidget(bar_);
  grid_ = new ImageGrid(makeVolumePlace());
  views_ = grid_->views();
  for (SliceView* view : views_) connectView(view);
  column->addWidget(grid_, 1);
  column->addWidget(makeFooter());
  slicePlayer_ = new SlicePlayer(*this);
  connectBar();
  connect(contents_, &ImageContents::message, this, &ImagePanel::message);
  connect(contents_, &ImageContents::differenceDone, this, [this] {
    applyImage(false);
    Q_EMIT differenceReady(contents_->nrmse());
  });
  setEmptyText(tr("No image yet.\nOpen a scan or the demo, then reconstruct."));
  applyImage(true);
}

ImagePanel::~ImagePanel() = default;

// --- parts

void ImagePanel::connectBar() {
  connect(bar_, &ImageToolBar::modeChosen, this, &ImagePanel::setMode);
  connect(bar_, &ImageToolBar::colourMapChosen, this, &ImagePanel::setColourMap);
  connect(bar_, &ImageToolBar::fitRequested, this, &ImagePanel::resetViews);
  connect(bar_, &ImageToolBar::differenceChosen, this, &ImagePanel::setShowsDifference);
  connect(bar_->groups(), &GroupBox::groupChosen, this, &ImagePanel::setGroup);
  connect(bar_->frames(), &FrameBar::frameChanged, this, &ImagePanel::setFrame);
  connect(bar_, &ImageToolBar::smoothToggled, this, [this](bool on) {
    for (SliceView* view : views_) view->setInterpolates(on);
  });
  connect(bar_, &ImageToolBar::maximumIntensityToggled, this, [this](bool on) {
    if (on == (style_.mode == VolumeMode::maximum)) return;
    VolumeStyle style = style_;
    style.mode = on ? VolumeMode::maximum : otherMode_;
    setVolumeStyle(style);
  });
}

void ImagePanel::connectView(SliceView* view) {
  view->setReadoutVisible(false);
  connect(view, &SliceView::cursorMoved, this, &ImagePanel::takeCursor);
  connect(view, &SliceView::windowChanged, this, &ImagePanel::takeWindow);
  connect(view, &SliceView::pixelAsked, this, &ImagePanel::pixelAsked);
  connect(view, &SliceView::modeChanged, this, &ImagePanel::setMode);
  connect(view, &SliceView::hovered, this, &ImagePanel::updateReadout);
  connect(view, &SliceView::windowResetRequested, this, [this] {
    shown().windowTouched = false;
    shown().windows = shown().fitting;
    applyWindows();
    Q_EMIT windowChanged(window());
  });
}

QWidget* ImagePanel::makeVolumePlace() {
  QString why;
  if (!VolumeView::available(&why)) {
    QLabel* label = makeVolumeSubstitute(why);
    bar_->disableVolume(label->text());
    return label;
  }
  volume_ = makeCaptionedVolume(font());
  connect(volume_, &VolumeView::volumeReady, this, [this] {
    Q_EMIT volumeReady(volume_->imageHigh(), VolumeView::automaticLevel * volume_->imageHigh());
  });
  connect(volume_, &VolumeView::surfaceReady, this, &ImagePanel::surfaceReady);
  connect(&VtkLog::instance(), &VtkLog::message, this, &ImagePanel::message);
  return volume_;
}

QWidget* ImagePanel::makeFooter() {
  auto* footer = new QWidget;
  footer->setObjectName(QStringLiteral("imageFooter"));
  auto* row = new QHBoxLayout(footer);
  row->setContentsMargins(footerInset, 1, footerInset, 1);
  readout_ = new ReadoutLabel;
  colourBar_ = new ColourBar;
  histogram_ = new WindowHistogram;
  connect(histogram_, &WindowHistogram::windowChosen, this, &ImagePanel::setWindow);
  constexpr int readoutParts = 3, barParts = 2;  // stretch factors if the room is too small for all
  row->addWidget(readout_, readoutParts);
  row->addWidget(histogram_, 1);
  row->addWidget(colourBar_, barParts);
  return footer;
}

FramePlayer* ImagePanel::player() const {
  return bar_->frames()->player();
}

void ImagePanel::setMeasurement(Measurement* measurement) {
  measurement_ = measurement;
  for (SliceView* view : views_) view->setMeasurement(measurement);
  bar_->setMeasurement(measurement);
  histogram_->setMeasurement(measurement);
}

// --- what is shown

void ImagePanel::setEmptyText(const QString& text) {
  for (SliceView* view : views_) view->setEmptyText(text);
}

void ImagePanel::setImage(std::shared_ptr<const Image> image) {
  preview_ = false;
  grid_->hideNote();
  for (SliceView* view : views_) view->setMeasurement(measurement_);
  showImage(std::move(image));
}

void ImagePanel::setPreview(std::shared_ptr<const Image> image, const QString& note) {
  preview_ = true;
  // the regions belong to the last image's pixels
  for (SliceView* view : views_) view->setMeasurement(nullptr);
  showImage(std::move(image));
  grid_->showNote(note);
}

void ImagePanel::showImage(std::shared_ptr<const Image> image) {
  whole_ = isShowable(image.get()) ? std::move(image) : nullptr;
  const QStringList titles = group_.titles();
  const int group = group_.current();
  group_.setImage(whole_);
  showPart();
  if (group_.titles() != titles || group_.current() != group) Q_EMIT groupChanged();
}

void ImagePanel::showPart() {
  std::shared_ptr<const Image> image = partOf(whole_);
  const std::shared_ptr<const Image> before = contents_->image().image;
  const bool same = before && image && sameField(*before, *image);
  if (!same || before->frames != image->frames) frame_ = 0;
  if (!same) slicePlayer_->stop();
  if (same)
    for (std::size_t d = 0; d < 3; ++d)
      cursor_[d] = rescaledIndex(cursor_[d], before->size[d], image->size[d]);
  const bool wasWanted = contents_->wantsDifference();
  contents_->setImage(std::move(image), partOf(reference_), frame_, same);
  applyImage(!same);
  if (contents_->wantsDifference()) requestDifference();
  if (wasWanted && !contents_->wantsDifference()) Q_EMIT differenceShown(false);
}

void ImagePanel::setReference(std::shared_ptr<const Image> reference, const QString& name) {
  referenceName_ = name;
  const bool wasShown = contents_->differenceIsShown();
  reference_ = std::move(reference);
  contents_->setReference(partOf(reference_));
  if (wasShown && !contents_->wantsDifference()) Q_EMIT differenceShown(false);
  if (wasShown) applyImage(false);
  if (contents_->wantsDifference()) requestDifference();
  updateControls();
}

void ImagePanel::setDifferenceFunction(DifferenceFunction function) {
  const bool wasShown = contents_->differenceIsShown();
  contents_->setDifferenceFunction(std::move(function));
  if (wasShown) applyImage(false);
  if (contents_->wantsDifference()) requestDifference();
}

void ImagePanel::setShowsDifference(bool on) {
  if (on && !contents_->obstacle().isEmpty()) on = false;
  if (on == contents_->wantsDifference()) return updateControls();
  contents_->setWantsDifference(on);
  if (on && !contents_->hasDifference())
    requestDifference();
  else
    applyImage(false);
  updateControls();
  Q_EMIT differenceShown(on);
}

void ImagePanel::requestDifference() {
  contents_->requestDifference([this] { return frame_; });
}

void ImagePanel::applyImage(bool fit) {
  const ImageContents::Content& now = shown();
  for (SliceView* view : views_) {
    view->setImage(now.image, frame_, false);
    if (fit) view->resetView();
  }
  if (fit && now.image) {
    const Index3& n = now.image->size;
    cursor_ = {n[0] / 2, n[1] / 2, n[2] / 2};
  }
  for (SliceView* view : views_) view->setCursorIndex(cursor_);
  if (fit && volume_) volume_->setImage(nullptr);
  grid_->arrange(now.image.get());
  applyWindows();
  updateControls();
  updateReadout({});
  volumeTimer_->start();
}

void ImagePanel::applyWindows() {
  const ImageContents::Content& now = shown();
  for (SliceView* view : views_) {
    view->setFittingWindows(now.fitting);
    view->setWindows(now.windows);
  }
  colourBar_->setWindow(now.windows.of(mode_));
  histogram_->setWindow(now.windows.of(mode_));
  volumeTimer_->start();
}

void ImagePanel::applyVolume() {
  if (!volume_) return;
  const ImageContents::Content& now = shown();
  volume_->setWindow(now.windows.magnitude);
  const bool solid = now.image && now.image->size[2] > 1;
  volume_->setImage(solid ? now.image : nullptr, frame_);
}

void ImagePanel::updateControls() {
  const std::shared_ptr<const Image>& image = contents_->image().image;
  ImageToolBar::Offer offer;
  offer.image = image != nullptr;
  offer.volume = image && image->size[2] > 1;
  offer.reference = contents_->reference() != nullptr;
  offer.groups = group_.titles();
  offer.group = group_.current();
  offer.frames = image ? image->frames : 1;
  if (image) offer.frameAxes = image->frameAxes;
  offer.frame = frame_;
  offer.mode = mode_;
  offer.obstacle = contents_->obstacle();
  offer.referenceName = referenceName_;
  offer.wantsDifference = contents_->wantsDifference();
  bar_->offer(offer);
  bar_->setNrmse(contents_->nrmse(), contents_->differenceIsShown(), contents_->isOfMagnitudes());
  colourBar_->setVisible(image != nullptr);
  histogram_->setImage(shown().image, frame_, mode_);
  colourBar_->setMode(mode_);
  colourBar_->setColourMap(map_);
  colourBar_->setQuantity(contents_->differenceIsShown() ? tr("Difference") : QString());
  const bool lacksPhase = mode_ == DisplayMode::phase && contents_->shownIsMagnitude();
  grid_->setRemark(lacksPhase ? tr("No phase: these are magnitudes, all above 0.\n"
                                   "An adaptive combination of the coils keeps the phase.")
                              : QString());
}

void ImagePanel::updateReadout(const QString& text) {
  readout_->setReadout(!shown().image ? QString() : text.isEmpty() ? views_.front()->readout(cursor_) : text);
}

void ImagePanel::takeCursor(const Index3& index) {
  cursor_ = index;
  for (SliceView* view : views_) view->setCursorIndex(index);
  updateReadout({});
  Q_EMIT cursorMoved(index);
}

void ImagePanel::setCursorIndex(const Index3& index) {
  views_.front()->setCursorIndex(index);
  const Index3 inside = views_.front()->cursorIndex();
  if (inside != cursor_) takeCursor(inside);
}

void ImagePanel::takeWindow(const DisplayWindow& window) {
  shown().windows.of(mode_) = window;
  shown().windowTouched = true;
  applyWindows();
  Q_EMIT windowChanged(window);
}

void ImagePanel::setWindow(const DisplayWindow& window) {
  if (window.width > 0 && window != this->window()) takeWindow(window);
}

void ImagePanel::setMode(DisplayMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  bar_->setMode(mode);
  for (SliceView* view : views_) view->setMode(mode);
  applyWindows();
  updateControls();
  updateReadout({});
  Q_EMIT modeChanged(mode);
}

void ImagePanel::setFrame(int frame) {
  if (!image() || frame == frame_ || frame < 0 || frame >= image()->frames) return;
  frame_ = frame;
  for (SliceView* view : views_) view->setFrame(frame);
  updateControls();
  updateReadout({});
  volumeTimer_->start();
  Q_EMIT frameChanged(frame);
}

void ImagePanel::setColourMap(const QString& name) {
  if (!ColourMap::sequentialNames().contains(name) || name == map_) return;
  map_ = name;
  bar_->setColourMap(name);
  for (SliceView* view : views_) view->setColourMap(name);
  colourBar_->setColourMap(name);
  if (volume_) volume_->setColourMap(name);
}

void ImagePanel::resetViews() {
  shown().windowTouched = false;
  shown().windows = shown().fitting;
  for (SliceView* view : views_) view->resetView();
  if (volume_) volume_->resetCamera();
  applyWindows();
  Q_EMIT windowChanged(window());
}

// Handles keys that the views pass on; the tool bar's keys belong to its buttons and boxes.
void ImagePanel::keyPressEvent(QKeyEvent* event) {
  const QWidget* focus = focusWidget();
  const bool inBar = focus && focus->hasFocus() && bar_->isAncestorOf(focus);
  if (event->modifiers() == Qt::NoModifier && !inBar) {
    if (const auto mode = modeOfKey(event->key())) return setMode(*mode);
    if (event->key() == Qt::Key_Space) return togglePlaying();
    if (event->key() == Qt::Key_D) return setShowsDifference(!showsDifference());
  }
  QWidget::keyPressEvent(event);
}

// The frames, where there are several, else the slices of the view with the focus.
void ImagePanel::togglePlaying() {
  if (bar_->frames()->isVisible()) return player()->setPlaying(!player()->isPlaying());
  const auto focused =
      std::find_if(views_.begin(), views_.end(), [](const SliceView* view) { return view->hasFocus(); });
  slicePlayer_->toggle(focused == views_.end() ? Plane::axial : (*focused)->plane());
}

void ImagePanel::takeFocus() {
  grid_->takeFocus();
}

void ImagePanel::setVolumeStyle(const VolumeStyle& style) {
  if (style == style_) return;
  style_ = style;
  if (style.mode != VolumeMode::maximum) otherMode_ = style.mode;
  bar_->setMaximumIntensity(style.mode == VolumeMode::maximum);
  if (volume_) volume_->setVolumeStyle(style);
  Q_EMIT volumeStyleChanged(style);
}

void ImagePanel::setGroup(int group) {
  if (!group_.choose(group)) return updateControls();
  showPart();
  Q_EMIT groupChanged();
}

std::shared_ptr<const Image> ImagePanel::partOf(const std::shared_ptr<const Image>& image) {
  try {
    return group_.partOf(image);
  } catch (const Error& error) {
    Q_EMIT message(QString::fromUtf8(error.what()));
    return nullptr;
  }
}

void ImagePanel::setOver(const std::shared_ptr<const OverImage>& over) {
  for (SliceView* view : views_) view->setOver(over);
}

void ImagePanel::addBar(QWidget* bar) {
  static_cast<QBoxLayout*>(layout())->insertWidget(1, bar);
}

void ImagePanel::addFoot(QWidget* foot) {
  layout()->addWidget(foot);
}

ViewState ImagePanel::viewState() const {
  ViewState state;
  state[QStringLiteral("cursor")] = numbersText({double(cursor_[0]), double(cursor_[1]), double(cursor_[2])});
  if (!group_.titles().isEmpty()) state[QStringLiteral("group")] = QString::number(group_.current());
  state[QStringLiteral("frame")] = QString::number(frame_);
  state[QStringLiteral("mode")] = QLatin1Char(modeLetters[int(mode_)]);
  const DisplayWindows& w = contents_->image().windows;
  state[QStringLiteral("windows")] =
      numbersText({w.magnitude.level, w.magnitude.width, w.signedParts.level, w.signedParts.width});
  state[QStringLiteral("window-touched")] = flagText(contents_->image().windowTouched);
  state[QStringLiteral("colour-map")] = map_;
  state[QStringLiteral("smooth")] = flagText(bar_->isSmooth());
  state[QStringLiteral("maximum-intensity")] = flagText(bar_->isMaximumIntensity());
  state[QStringLiteral("volume")] = volumeStyleText(style_);
  state[QStringLiteral("difference")] = flagText(showsDifference());
  for (const Plane plane : imagePlanes) {
    const SliceView& view = *sliceView(plane);
    state[zoomName(plane)] = numbersText({view.zoom(), view.pan().x(), view.pan().y()});
  }
  return state;
}

void ImagePanel::setViewState(const ViewState& state) {
  const QString letter = state.value(QStringLiteral("mode"));
  if (const auto at = QString::fromLatin1(modeLetters).indexOf(letter); letter.size() == 1 && at >= 0)
    setMode(DisplayMode(at));
  setColourMap(state.value(QStringLiteral("colour-map")));
  bar_->setSmooth(flagOf(state, QStringLiteral("smooth"), bar_->isSmooth()));
  bar_->setMaximumIntensity(flagOf(state, QStringLiteral("maximum-intensity"), bar_->isMaximumIntensity()));
  setVolumeStyle(volumeStyleFromText(state.value(QStringLiteral("volume")), style_));
  if (!image()) return;
  setGroup(state.value(QStringLiteral("group")).toInt());
  setFrame(state.value(QStringLiteral("frame")).toInt());
  if (const auto at = numbersOf(state.value(QStringLiteral("cursor")), 3); !at.empty())
    setCursorIndex({std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])});
  if (const auto w = numbersOf(state.value(QStringLiteral("windows")), 4);
      !w.empty() && w[1] > 0 && w[3] > 0) {
    contents_->image().windows = {{w[0], w[1]}, {w[2], w[3]}};
    contents_->image().windowTouched = flagOf(state, QStringLiteral("window-touched"), false);
    applyWindows();
  }
  for (const Plane plane : imagePlanes)
    if (const auto z = numbersOf(state.value(zoomName(plane)), 3); !z.empty() && z[0] > 0)
      sliceView(plane)->setView(z[0], {z[1], z[2]});
  setShowsDifference(flagOf(state, QStringLiteral("difference"), false));
}

}  // namespace spokelab
