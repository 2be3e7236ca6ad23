#include "widgets/image/image_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QButtonGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/core/colour_map.h"
#include "widgets/core/number_text.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/image/volume/volume_view.h"

namespace spokelab {
namespace {

constexpr int volumeDelay = 60;  // ms between the user's step and the volume's render
constexpr int noteTop = 30;      // pixels

// The same part of the patient, if not in the same pixels.
bool sameField(const Image& a, const Image& b) {
  if (a.size == b.size) return a.frames == b.frames;
  constexpr double slack = 1e-6;  // mm
  for (std::size_t d = 0; d < 3; ++d)
    if (std::abs(a.geometry.fov[d] - b.geometry.fov[d]) > slack || (a.size[d] == 1) != (b.size[d] == 1))
      return false;
  return a.geometry.readDirection == b.geometry.readDirection &&
         a.geometry.phaseDirection == b.geometry.phaseDirection;
}

// The middle stays the middle.
std::int64_t rescaled(std::int64_t index, std::int64_t from, std::int64_t to) {
  if (from == to) return index;
  const double offset = double(index - from / 2) * double(to) / double(from);
  return std::clamp<std::int64_t>(to / 2 + std::llround(offset), 0, to - 1);
}

}  // namespace

ImagePanel::ImagePanel(QWidget* parent)
    : QWidget(parent), differenceFunction_(differenceImage), map_(QStringLiteral("grey")) {
  setObjectName(QStringLiteral("imagePanel"));
  setAccessibleName(tr("Image"));
  volumeTimer_ = new QTimer(this);
  volumeTimer_->setSingleShot(true);
  volumeTimer_->setInterval(volumeDelay);
  connect(volumeTimer_, &QTimer::timeout, this, &ImagePanel::applyVolume);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeToolBar());
  column->addWidget(makeGrid(), 1);
  column->addWidget(makeFooter());
  setEmptyText(tr("No image yet.\nOpen a scan or the demo, then reconstruct."));
  applyImage(true);
}

ImagePanel::~ImagePanel() = default;

// --- what is shown ----------------------------------------------------------------------------------

void ImagePanel::setEmptyText(const QString& text) {
  for (SliceView* view : views_) view->setEmptyText(text);
}

void ImagePanel::fitContent(Content& content, int frame, bool keepWindow) {
  content.fitting = content.image ? fittingWindows(*content.image, frame) : DisplayWindows{};
  if (keepWindow) return;
  content.windows = content.fitting;
  content.windowTouched = false;
}

void ImagePanel::setImage(std::shared_ptr<const Image> image) {
  preview_ = false;
  note_->hide();
  for (SliceView* view : views_) view->setMeasurement(measurement_);
  showImage(std::move(image));
}

void ImagePanel::setPreview(std::shared_ptr<const Image> image, const QString& note) {
  preview_ = true;
  for (SliceView* view : views_) view->setMeasurement(nullptr);  // its regions are those of other pixels
  showImage(std::move(image));
  note_->setText(note);
  note_->adjustSize();
  note_->move((note_->parentWidget()->width() - note_->width()) / 2, noteTop);
  note_->show();
  note_->raise();
}

void ImagePanel::showImage(std::shared_ptr<const Image> image) {
  if (!isShowable(image.get())) image.reset();
  const Content before = content_;
  const bool same = before.image && image && sameField(*before.image, *image);
  if (!same || before.image->frames != image->frames) frame_ = 0;
  if (same)
    for (std::size_t d = 0; d < 3; ++d)
      cursor_[d] = rescaled(cursor_[d], before.image->size[d], image->size[d]);
  content_.image = std::move(image);
  fitContent(content_, frame_, same && before.windowTouched);
  difference_ = {};
  differenceJob_.drop();
  const bool comparable = differenceObstacle(content_.image.get(), reference_.get()).isEmpty();
  const bool wasShown = std::exchange(showDifference_, showDifference_ && comparable);
  applyImage(!same);
  if (showDifference_) requestDifference();
  if (wasShown && !showDifference_) Q_EMIT differenceShown(false);
}

void ImagePanel::setReference(std::shared_ptr<const Image> reference, const QString& name) {
  reference_ = isShowable(reference.get()) ? std::move(reference) : nullptr;
  referenceName_ = name;
  const bool wasShown = differenceIsShown();
  difference_ = {};
  differenceJob_.drop();
  if (!differenceObstacle(content_.image.get(), reference_.get()).isEmpty()) showDifference_ = false;
  if (wasShown && !showDifference_) Q_EMIT differenceShown(false);
  if (wasShown) applyImage(false);
  if (showDifference_) requestDifference();
  updateControls();
}

void ImagePanel::setDifferenceFunction(DifferenceFunction function) {
  differenceFunction_ = std::move(function);
  difference_ = {};
}

void ImagePanel::setShowsDifference(bool on) {
  if (on && !differenceObstacle(content_.image.get(), reference_.get()).isEmpty()) on = false;
  if (on == showDifference_) return updateControls();
  showDifference_ = on;
  if (on && !difference_.image)
    requestDifference();
  else
    applyImage(false);
  updateControls();
  Q_EMIT differenceShown(on);
}

void ImagePanel::requestDifference() {
  differenceJob_.drop();
  if (!differenceObstacle(content_.image.get(), reference_.get()).isEmpty()) return;
  differenceJob_.start([function = differenceFunction_, image = content_.image,
                        reference = reference_](std::stop_token) { return function(*image, *reference); },
                       [this](Difference difference) { takeDifference(std::move(difference)); },
                       [this](const QString& failure) {
                         Q_EMIT message(failure);
                         takeDifference({});
                       });
}

void ImagePanel::takeDifference(Difference difference) {
  difference_.image = isShowable(difference.image.get()) ? std::move(difference.image) : nullptr;
  nrmse_ = difference.nrmse;
  fitContent(difference_, frame_, false);
  applyImage(false);
  Q_EMIT differenceReady(nrmse_);
}

void ImagePanel::applyImage(bool fit) {
  const Content& now = shown();
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
  applyLayout();
  applyWindows();
  updateControls();
  updateReadout({});
  volumeTimer_->start();
}

void ImagePanel::applyLayout() {
  const Content& now = shown();
  const bool flat = !now.image || now.image->size[2] == 1;
  const Plane single = now.image ? nativePlane(pixelAxes(*now.image)) : Plane::axial;
  for (Plane plane : imagePlanes) sliceView(plane)->setVisible(!flat || plane == single);
  volumePlace_->setVisible(!flat);
  const auto stretch = [&](int row, int column) {
    return !flat || (row == int(single) / 2 && column == int(single) % 2);
  };
  for (int i = 0; i < 2; ++i) {
    grid_->setRowStretch(i, stretch(i, 0) || stretch(i, 1) ? 1 : 0);
    grid_->setColumnStretch(i, stretch(0, i) || stretch(1, i) ? 1 : 0);
  }
  for (SliceView* view : views_) view->setCursorVisible(!flat);
}

void ImagePanel::applyWindows() {
  const Content& now = shown();
  for (SliceView* view : views_) {
    view->setFittingWindows(now.fitting);
    view->setWindows(now.windows);
  }
  colourBar_->setWindow(now.windows.of(mode_));
  volumeTimer_->start();
}

void ImagePanel::applyVolume() {
  if (!volume_) return;
  const Content& now = shown();
  volume_->setWindow(now.windows.magnitude);
  const bool solid = now.image && now.image->size[2] > 1;
  volume_->setImage(solid ? now.image : nullptr, frame_);
}

void ImagePanel::updateControls() {
  const bool any = content_.image != nullptr;
  const QString obstacle = differenceObstacle(content_.image.get(), reference_.get());
  imageButton_->setVisible(any && reference_);
  differenceButton_->setVisible(any && reference_);
  differenceButton_->setEnabled(obstacle.isEmpty());
  const QString meaning = referenceName_.isEmpty()
                              ? tr("Show the difference from the reference (key D)")
                              : tr("Show the difference from %1 (key D)").arg(referenceName_);
  differenceButton_->setToolTip(obstacle.isEmpty() ? meaning : obstacle);
  (showDifference_ ? differenceButton_ : imageButton_)->setChecked(true);
  nrmseLabel_->setVisible(differenceIsShown());
  nrmseLabel_->setText(std::isfinite(nrmse_) ? tr("NRMSE %1").arg(valueText(nrmse_))
                                             : tr("NRMSE: reference is zero"));

  const int frames = any ? content_.image->frames : 1;
  frameControls_->setVisible(frames > 1);
  if (frames < 2) player_->setPlaying(false);
  const QSignalBlocker quiet(frameSlider_);
  frameSlider_->setRange(0, frames - 1);
  frameSlider_->setValue(frame_);
  frameLabel_->setText(tr("Frame %1 / %2").arg(frame_).arg(frames - 1));
  for (QAbstractButton* button : modeButtons_->buttons()) button->setEnabled(any);
  mapBox_->setEnabled(any && mode_ != DisplayMode::phase && mode_ != DisplayMode::complex);
  smoothButton_->setEnabled(any && mode_ != DisplayMode::phase && mode_ != DisplayMode::complex);
  resetButton_->setEnabled(any);
  mipButton_->setVisible(any && content_.image->size[2] > 1);
  colourBar_->setVisible(any);
  colourBar_->setMode(mode_);
  colourBar_->setColourMap(map_);
  colourBar_->setQuantity(differenceIsShown() ? tr("Difference") : QString());
}

void ImagePanel::updateReadout(const QString& text) {
  readoutText_ = !shown().image ? QString() : text.isEmpty() ? views_.front()->readout(cursor_) : text;
  fitReadout();
}

// --- what the user or the window asks for -----------------------------------------------------------

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
  modeButtons_->button(int(mode))->setChecked(true);
  for (SliceView* view : views_) view->setMode(mode);
  applyWindows();
  updateControls();
  updateReadout({});
  Q_EMIT modeChanged(mode);
}

void ImagePanel::setFrame(int frame) {
  if (!content_.image || frame == frame_ || frame < 0 || frame >= content_.image->frames) return;
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
  mapBox_->setCurrentIndex(mapBox_->findData(name));
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

// Keys that reach the panel from the volume view or a button; a slice view with the focus takes its own.
void ImagePanel::keyPressEvent(QKeyEvent* event) {
  static const std::array<std::pair<int, DisplayMode>, 5> modes{{{Qt::Key_M, DisplayMode::magnitude},
                                                                 {Qt::Key_P, DisplayMode::phase},
                                                                 {Qt::Key_R, DisplayMode::real},
                                                                 {Qt::Key_I, DisplayMode::imaginary},
                                                                 {Qt::Key_C, DisplayMode::complex}}};
  if (event->modifiers() == Qt::NoModifier) {
    for (const auto& [key, mode] : modes)
      if (event->key() == key) return setMode(mode);
    if (event->key() == Qt::Key_Space && frameControls_->isVisible())
      return player_->setPlaying(!player_->isPlaying());
    if (event->key() == Qt::Key_D) return setShowsDifference(!showDifference_);
  }
  QWidget::keyPressEvent(event);
}

}  // namespace spokelab
