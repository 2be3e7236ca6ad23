#include "widgets/trajectory/trajectory_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "engine/core/number_list.h"
#include "widgets/core/image_theme.h"
#include "widgets/trajectory/trajectory_colouring.h"
#include "widgets/trajectory/trajectory_legend.h"
#include "widgets/trajectory/trajectory_pictures.h"
#include "widgets/trajectory/trajectory_text.h"

namespace spokelab {
namespace {

// more samples than this are drawn one pixel large
constexpr std::int64_t maxLargeSamples = 200'000;
constexpr int reachPixels = 6;  // how near the mouse must come to a sample
constexpr int inset = ImageTheme::inset;
constexpr double degreesPerPixel = 0.5, degreesPerKey = 5;
constexpr double zoomPerNotch = 1.2, wheelNotch = 120;  // QWheelEvent::angleDelta of one notch
constexpr double maxClickPixels = 4;                    // that the mouse may move within a click

}  // namespace

TrajectoryView::TrajectoryView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("trajectoryView"));
  setAccessibleName(tr("Trajectory"));
  setWhatsThis(
      tr("Left drag: turn (3-D) or move (2-D). Middle or right drag: move. Wheel: zoom. Double click: fit. "
         "Click: pick a shot; Ctrl: take it in or out; Shift: all from the last one; Shift and drag: those "
         "that cross the rectangle. Page up and down: from shot to shot; Space, Return: pick."));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  colouring_ = new TrajectoryColouring(this);
  pictures_ = new TrajectoryPictures([this] { return drawing(); }, this);
  connect(pictures_, &TrajectoryPictures::changed, this, qOverload<>(&QWidget::update));
  connect(colouring_, &TrajectoryColouring::changed, this, &TrajectoryView::invalidate);
  connect(colouring_, &TrajectoryColouring::colourChanged, this, &TrajectoryView::colourByChanged);
  connect(colouring_, &TrajectoryColouring::loadCounted, this, &TrajectoryView::loadCounted);
  followScreenTheme(this, [this] { invalidate(); });
  resetView();
}

void TrajectoryView::setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix) {
  const bool usable = trajectory && trajectory->samples() > 0 && trajectory->dims >= 1 &&
                      trajectory->dims <= 3 &&
                      std::int64_t(trajectory->points.size()) >= trajectory->samples() * trajectory->dims;
  trajectory_ = usable ? std::move(trajectory) : nullptr;
  matrix_ = matrix;
  hovered_ = -1;
  picks_.reset();
  pickedBefore_.reset();
  chosen_.clear();
  band_.reset();
  pictures_->setTrajectory(trajectory_);
  camera_ = {};
  camera_.solid = solid();
  extentJob_.drop();
  if (trajectory_) {
    for (std::size_t d = 0; d < 3; ++d) camera_.halfSize[d] = double(matrix_[d]) / 2;
    measureExtent();
  }
  colouring_->setTrajectory(trajectory_, matrix_);
  resetView();
}

void TrajectoryView::setScan(std::shared_ptr<const Scan> scan, int frame) {
  if (!scan || scan->trajectories.empty()) return setTrajectory(nullptr, {1, 1, 1});
  const bool shared = scan->trajectories.size() == 1;
  const int last = int(scan->trajectories.size()) - 1;
  const Trajectory* shown = &scan->trajectories[std::size_t(shared ? 0 : std::clamp(frame, 0, last))];
  setTrajectory(std::shared_ptr<const Trajectory>(scan, shown), scan->geometry.matrix);
}

TrajectoryColour TrajectoryView::colourBy() const {
  return colouring_->colour();
}

void TrajectoryView::setColourBy(TrajectoryColour colour) {
  colouring_->setColour(colour);
}

void TrajectoryView::setTiles(const Index3& grid, const Index3& tile) {
  colouring_->setTiles(grid, tile);
}

QString TrajectoryView::loadText() const {
  return colouring_->loadText();
}

bool TrajectoryView::isComplete() const {
  return pictures_->isComplete();
}

void TrajectoryView::resetView() {
  camera_.reset();
  invalidate();
}

void TrajectoryView::turn(double azimuth, double elevation) {
  if (!solid()) return;
  camera_.turn(azimuth, elevation);
  invalidate();
}

void TrajectoryView::invalidate() {
  pictures_->invalidate();
}

void TrajectoryView::measureExtent() {
  if (trajectory_->samples() <= TrajectoryPictures::maxSamplesAnEvent) return widen(extentOf(*trajectory_));
  extentJob_.start([shown = trajectory_](std::stop_token) { return extentOf(*shown); },
                   [this](const Vec3& extent) { widen(extent); });
}

// The axes reach the farthest sample.
void TrajectoryView::widen(const Vec3& extent) {
  const Vec3 before = camera_.halfSize;
  for (std::size_t d = 0; d < 3; ++d) camera_.halfSize[d] = std::max(camera_.halfSize[d], extent[d]);
  if (camera_.halfSize != before) invalidate();
}

// --- geometry ---------------------------------------------------------------------------------------

QRectF TrajectoryView::plotArea() const {
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  if (solid()) return QRectF(rect()).adjusted(0, 0, 0, -std::min(metrics.height() + inset, height() / 2));
  const double left = metrics.horizontalAdvance(QStringLiteral("\u22128888")) + metrics.height() + inset;
  const double below = 2.0 * metrics.height() + inset;
  const double above = std::max(colouring_->boxSize().height(), metrics.height()) + 2.0 * inset;
  return {left, above, std::max(1.0, width() - left - inset), std::max(1.0, height() - above - below)};
}

KspaceProjection TrajectoryView::projection() const {
  return camera_.projection(plotArea());
}

QPointF TrajectoryView::project(const Vec3& k) const {
  return projection().point(k);
}

TrajectoryDrawing TrajectoryView::drawing() const {
  const double ratio = devicePixelRatioF();
  TrajectoryDrawing drawing;
  drawing.projection = projection();
  drawing.projection.scale *= ratio;
  drawing.projection.centre *= ratio;
  drawing.size = {int(std::ceil(width() * ratio)), int(std::ceil(height() * ratio))};
  drawing.colour = colouring_->colour();
  drawing.range = colouring_->range();
  const std::vector<float>& loads = colouring_->load().of;
  drawing.loads = loads.empty() ? nullptr : &loads;
  drawing.chosen = chosen_.empty() ? nullptr : &chosen_;
  const double points = trajectory_->samples() > maxLargeSamples ? 1 : 2;
  drawing.pointSize = int(std::lround(points * ratio));
  drawing.depthRadius = solid() ? camera_.radius() : 0;
  return drawing;
}

std::optional<std::int64_t> TrajectoryView::sampleAt(const QPointF& point) const {
  if (!trajectory_ || !plotArea().contains(point)) return std::nullopt;
  const TrajectoryPicture& picture = pictures_->picture(devicePixelRatioF());
  const double ratio = picture.image.devicePixelRatio();
  return sampleNear(picture, point * ratio, int(reachPixels * ratio));
}

QString TrajectoryView::describe(std::int64_t sample) const {
  if (!trajectory_ || sample < 0 || sample >= trajectory_->samples()) return {};
  return sampleText(*trajectory_, sample, colouring_->colour(), colouring_->load());
}

std::array<TrajectoryAxisLabel, 3> TrajectoryView::axisLabels() const {
  if (!solid()) return {};
  return spokelab::axisLabels(frame());
}

TrajectoryFrame TrajectoryView::frame() const {
  return {*trajectory_,
          matrix_,
          solid(),
          projection(),
          rect(),
          plotArea(),
          colouring_->boxArea(),
          ImageTheme::smallFont(font())};
}

void TrajectoryView::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  pickedBefore_.reset();
  dragging_ = event->button();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (trajectory_ && dragging_ == Qt::LeftButton && shift) band_ = QRectF(pressed_, pressed_);
}

void TrajectoryView::mouseMoveEvent(QMouseEvent* event) {
  if (!trajectory_) return;
  if (dragging_ == Qt::NoButton) return hover(event->position());
  const QPointF delta = event->position() - last_;
  last_ = event->position();
  if (band_) {
    band_ = QRectF(pressed_, last_).normalized();
    return update();
  }
  pictures_->startMoving();
  if (dragging_ == Qt::LeftButton && solid()) {
    turn(-degreesPerPixel * delta.x(), degreesPerPixel * delta.y());
  } else {
    camera_.pan += delta;
    invalidate();
  }
}

void TrajectoryView::mouseReleaseEvent(QMouseEvent* event) {
  const bool left = std::exchange(dragging_, Qt::NoButton) == Qt::LeftButton;
  const std::optional<QRectF> band = std::exchange(band_, std::nullopt);
  if (!left || !trajectory_) return;
  update();
  if ((event->position() - pressed_).manhattanLength() > maxClickPixels) {
    if (band)
      take(picks_.pickInside(*trajectory_, projection(), *band, event->modifiers() & Qt::ControlModifier));
    return;
  }
  if (const auto sample = sampleAt(event->position()))
    pick(int(shotOf(*trajectory_, *sample)), event->modifiers());
}

// Its first click picked a shot, perhaps: that is taken back.
void TrajectoryView::mouseDoubleClickEvent(QMouseEvent*) {
  resetView();
  if (pickedBefore_) tellPicked(*pickedBefore_);
  pickedBefore_.reset();
}

void TrajectoryView::wheelEvent(QWheelEvent* event) {
  event->accept();
  camera_.zoomAbout(event->position(), std::pow(zoomPerNotch, event->angleDelta().y() / wheelNotch),
                    plotArea());
  pictures_->startMoving();
  invalidate();
}

void TrajectoryView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return turn(-degreesPerKey, 0);
    case Qt::Key_Right:
      return turn(degreesPerKey, 0);
    case Qt::Key_Up:
      return turn(0, degreesPerKey);
    case Qt::Key_Down:
      return turn(0, -degreesPerKey);
    case Qt::Key_Home:
      return resetView();
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
      return stepShot(event->key() == Qt::Key_PageDown ? 1 : -1, event->modifiers());
    case Qt::Key_Space:
      if (hovered_ >= 0) pick(int(shotOf(*trajectory_, hovered_)), event->modifiers() | Qt::ControlModifier);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (hovered_ >= 0) pick(int(shotOf(*trajectory_, hovered_)), event->modifiers());
      return;
    case Qt::Key_A:
      if (!(event->modifiers() & Qt::ControlModifier)) return QWidget::keyPressEvent(event);
      if (trajectory_) tellPicked({});
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void TrajectoryView::hover(const QPointF& point) {
  const std::int64_t sample = sampleAt(point).value_or(-1);
  if (sample == hovered_) return;
  hovered_ = sample;
  update();
  const std::int64_t shot = sample < 0 ? -1 : shotOf(*trajectory_, sample);
  const std::int64_t inShot = sample < 0 ? -1 : sample - trajectory_->shotOffsets[std::size_t(shot)];
  Q_EMIT sampleHovered(shot, inShot);
}

void TrajectoryView::leaveEvent(QEvent*) {
  if (hovered_ < 0) return;
  hovered_ = -1;
  update();
  Q_EMIT sampleHovered(-1, -1);
}

void TrajectoryView::setSelection(const std::vector<int>& shots, std::vector<char> chosen) {
  picks_.set(shots);
  const bool fits = trajectory_ && std::int64_t(chosen.size()) == trajectory_->samples();
  chosen_ = fits ? std::move(chosen) : std::vector<char>();
  invalidate();
}

// The next shot, or the one before; with Shift it is picked along with those since the last pick.
void TrajectoryView::stepShot(int by, Qt::KeyboardModifiers modifiers) {
  if (!trajectory_) return;
  const std::int64_t last = trajectory_->shots() - 1;
  std::int64_t shot = hovered_ < 0 ? (by > 0 ? -1 : last + 1) : shotOf(*trajectory_, hovered_);
  do {
    shot += by;
    if (shot < 0 || shot > last) return;
  } while (trajectory_->shotOffsets[std::size_t(shot)] == trajectory_->shotOffsets[std::size_t(shot) + 1]);
  hovered_ = trajectory_->shotOffsets[std::size_t(shot)];
  update();
  Q_EMIT sampleHovered(shot, 0);
  if (modifiers & Qt::ShiftModifier) pick(int(shot), modifiers);
}

void TrajectoryView::pick(int shot, Qt::KeyboardModifiers modifiers) {
  const bool toggles = modifiers & Qt::ControlModifier, extends = modifiers & Qt::ShiftModifier;
  const PickMode mode = toggles && extends ? PickMode::toggleRange
                        : toggles          ? PickMode::toggle
                        : extends          ? PickMode::range
                                           : PickMode::alone;
  take(picks_.pick(*trajectory_, shot, mode));
}

// A double click takes back the pick of its first click.
void TrajectoryView::take(const ShotPicks::Request& shots) {
  if (!shots) return;
  pickedBefore_ = picks_.shots();
  tellPicked(*shots);
}

void TrajectoryView::tellPicked(const std::vector<int>& shots) {
  if (shots == picks_.shots()) return;
  picks_.set(shots);
  Q_EMIT shotsPicked(QString::fromStdString(numberListText(shots)));
}

// --- painting ---------------------------------------------------------------------------------------

void TrajectoryView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  painter.setFont(ImageTheme::smallFont(font()));
  if (!trajectory_) {
    painter.setPen(ImageTheme::hint());
    painter.drawText(rect().adjusted(inset, inset, -inset, -inset), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No trajectory yet"));
    return;
  }
  const QImage samples = pictures_->picture(devicePixelRatioF()).image;
  const TrajectoryFrame frame = this->frame();
  const TrajectoryLegend legend =
      placeLegend(colouring_->lowText(), colouring_->highText(), size(), frame.smallFont);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!solid()) paintFlatAxes(painter, frame, legend.left);
  painter.save();
  painter.setClipRect(frame.plot);
  paintBox(painter, frame, false);
  painter.drawImage(QPointF(0, 0), samples);
  if (solid()) paintBox(painter, frame, true);
  paintHoveredShot(painter, frame, hovered_);
  if (band_) {
    painter.setPen(QPen(ImageTheme::letters(), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(*band_);
  }
  painter.restore();
  if (solid()) paintSolidAxes(painter, frame);
  paintLegend(painter, legend, size());
  if (hovered_ >= 0) {
    const QRectF area = QRectF(rect()).adjusted(inset, inset, -inset - colouring_->boxSize().width(), -inset);
    painter.setPen(ImageTheme::text());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, describe(hovered_));
  }
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void TrajectoryView::resizeEvent(QResizeEvent*) {
  colouring_->place();
  invalidate();
}

void TrajectoryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) colouring_->updateBox();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
