#include "widgets/trajectory/trajectory_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

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

}  // namespace

TrajectoryView::TrajectoryView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("trajectoryView"));
  setAccessibleName(tr("Trajectory"));
  setWhatsThis(
      tr("Left drag: turn (3-D) or move (2-D). Middle or right drag: move. Wheel: zoom. Double click: fit. "
         "Click: pick a shot; Ctrl: take it in or out; Shift: all from the last one; Shift and drag: those "
         "that cross the rectangle. Arrow keys: turn or move; Shift and arrow keys: move; + −: zoom; 0: fit; "
         "Page up and down: from shot to shot; Space, Return: pick."));
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
  colouring_->setScan(nullptr, 0);
  showTrajectory(std::move(trajectory), matrix);
}

void TrajectoryView::showTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix) {
  const bool usable = trajectory && trajectory->samples() > 0 && trajectory->dims >= 1 &&
                      trajectory->dims <= 3 &&
                      std::int64_t(trajectory->points.size()) >= trajectory->samples() * trajectory->dims;
  trajectory_ = usable ? std::move(trajectory) : nullptr;
  matrix_ = matrix;
  hovered_ = lookedAt_ = -1;
  picks_.reset();
  pickedBefore_.reset();
  isSampleSelected_.clear();
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
  const bool hasSamples = std::size_t(frame) < scan->samples.size();
  colouring_->setScan(hasSamples ? scan : nullptr, frame);
  showTrajectory(std::shared_ptr<const Trajectory>(scan, shown), scan->geometry.matrix);
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

void TrajectoryView::lookAt(std::int64_t sample) {
  lookedAt_ = trajectory_ && sample < trajectory_->samples() ? sample : -1;
  update();
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

// --- geometry

QRectF TrajectoryView::plotArea() const {
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  if (solid())
    return QRectF(rect()).adjusted(0, 0, 0, -std::min(metrics.height() + ImageTheme::inset, height() / 2));
  const double left =
      metrics.horizontalAdvance(QStringLiteral("\u22128888")) + metrics.height() + ImageTheme::inset;
  const double below = 2.0 * metrics.height() + ImageTheme::inset;
  const double above = std::max(colouring_->boxSize().height(), metrics.height()) + 2.0 * ImageTheme::inset;
  return {left, above, std::max(1.0, width() - left - ImageTheme::inset),
          std::max(1.0, height() - above - below)};
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
  drawing.chosen = isSampleSelected_.empty() ? nullptr : &isSampleSelected_;
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

void TrajectoryView::setSelection(const std::vector<int>& shots, std::vector<char> isSampleSelected) {
  picks_.set(shots);
  const bool fits = trajectory_ && std::int64_t(isSampleSelected.size()) == trajectory_->samples();
  isSampleSelected_ = fits ? std::move(isSampleSelected) : std::vector<char>();
  invalidate();
}

// --- painting

void TrajectoryView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  painter.setFont(ImageTheme::smallFont(font()));
  if (!trajectory_) {
    painter.setPen(ImageTheme::hint());
    painter.drawText(
        rect().adjusted(ImageTheme::inset, ImageTheme::inset, -ImageTheme::inset, -ImageTheme::inset),
        Qt::AlignCenter | Qt::TextWordWrap, tr("No trajectory yet"));
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
  const std::int64_t hoveredSample = hovered_ >= 0 ? hovered_ : lookedAt_;
  paintHoveredShot(painter, frame, hoveredSample);
  if (band_) {
    painter.setPen(QPen(ImageTheme::letters(), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(*band_);
  }
  painter.restore();
  if (solid()) paintSolidAxes(painter, frame);
  paintLegend(painter, legend, size());
  if (hoveredSample >= 0) {
    const QRectF area =
        QRectF(rect()).adjusted(ImageTheme::inset, ImageTheme::inset,
                                -ImageTheme::inset - colouring_->boxSize().width(), -ImageTheme::inset);
    painter.setPen(ImageTheme::text());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, describe(hoveredSample));
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
