#include "widgets/trajectory/trajectory_view.h"

#include <cmath>

#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStandardItemModel>
#include <QTimer>
#include <QWheelEvent>

#include "widgets/image/colour_bar.h"
#include "widgets/image/image_theme.h"

namespace spokelab {
namespace {

constexpr double startAzimuth = 30, startElevation = 22;
constexpr double degreesPerPixel = 0.5, keyDegrees = 5;
constexpr double smallestZoom = 0.3, largestZoom = 200, zoomStep = 1.2;
constexpr double wheelNotch = 120;             // QWheelEvent::angleDelta of one notch
constexpr std::int64_t movingPoints = 200000;  // drawn while the view moves
constexpr int settleDelay = 150;               // ms until all are drawn
constexpr std::int64_t finePoints = 200000;    // more samples than this are drawn one pixel large
constexpr int reach = 6;                       // pixels: how near the mouse must come to a sample
constexpr int inset = 8;                       // text from the edge
constexpr int legendWidth = 96, legendHeight = 8;

QString axisName(std::size_t d) {
  static const std::array<QString, 3> names{QStringLiteral("kx"), QStringLiteral("ky"), QStringLiteral("kz")};
  return names[d];
}

// A round step that puts about five ticks on a span.
double tickStep(double span) {
  constexpr double wanted = 5;
  const double raw = span / wanted, power = std::pow(10, std::floor(std::log10(raw)));
  for (double m : {1.0, 2.0, 5.0})
    if (raw <= m * power) return m * power;
  return 10 * power;
}

}  // namespace

TrajectoryView::TrajectoryView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("trajectoryView"));
  setAccessibleName(tr("Trajectory"));
  setWhatsThis(
      tr("Left drag: turn (3-D) or move (2-D). Middle or right drag: move. Wheel: zoom. Double click: fit."));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  colourBox_ = new QComboBox(this);
  colourBox_->setObjectName(QStringLiteral("trajectoryColourBox"));
  colourBox_->setAccessibleName(tr("Colour by"));
  colourBox_->setToolTip(tr("What the colours stand for"));
  colourBox_->addItem(tr("Shot"), int(TrajectoryColour::shot));
  colourBox_->addItem(tr("Time"), int(TrajectoryColour::time));
  colourBox_->addItem(tr("Weight"), int(TrajectoryColour::weight));
  colourBox_->setFocusPolicy(Qt::TabFocus);
  connect(colourBox_, &QComboBox::activated, this,
          [this](int i) { setColourBy(TrajectoryColour(colourBox_->itemData(i).toInt())); });
  settle_ = new QTimer(this);
  settle_->setSingleShot(true);
  settle_->setInterval(settleDelay);
  connect(settle_, &QTimer::timeout, this, [this] {
    coarse_ = false;
    invalidate();
  });
  resetView();
  updateColourBox();
}

void TrajectoryView::setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix) {
  const bool usable = trajectory && trajectory->samples() > 0 && trajectory->dims >= 1 &&
                      trajectory->dims <= 3 &&
                      std::int64_t(trajectory->points.size()) >= trajectory->samples() * trajectory->dims;
  trajectory_ = usable ? std::move(trajectory) : nullptr;
  matrix_ = matrix;
  hovered_ = -1;
  halfSize_ = {1, 1, 1};
  if (trajectory_) {
    for (std::size_t d = 0; d < 3; ++d) halfSize_[d] = double(matrix_[d]) / 2;
    const int dims = trajectory_->dims;
    for (std::size_t i = 0; i < std::size_t(trajectory_->samples() * dims); ++i) {
      const double k = std::abs(trajectory_->points[i]);
      double& half = halfSize_[i % std::size_t(dims)];
      if (std::isfinite(k) && k > half) half = k;
    }
    range_ = colourRange(*trajectory_, colour_);
  }
  updateColourBox();
  resetView();
}

void TrajectoryView::setScan(std::shared_ptr<const Scan> scan, int frame) {
  if (!scan || scan->trajectories.empty()) return setTrajectory(nullptr, {1, 1, 1});
  const bool shared = scan->trajectories.size() == 1;
  const int last = int(scan->trajectories.size()) - 1;
  const Trajectory* shown = &scan->trajectories[std::size_t(shared ? 0 : std::clamp(frame, 0, last))];
  setTrajectory(std::shared_ptr<const Trajectory>(scan, shown), scan->geometry.matrix);
}

void TrajectoryView::updateColourBox() {
  colourBox_->setVisible(trajectory_ != nullptr);
  const bool times = trajectory_ && hasTimes(*trajectory_), weights = trajectory_ && hasWeights(*trajectory_);
  colourBox_->setItemText(int(TrajectoryColour::time), times || !trajectory_ ? tr("Time") : tr("Sample"));
  if (auto* model = qobject_cast<QStandardItemModel*>(colourBox_->model()))
    model->item(int(TrajectoryColour::weight))->setEnabled(weights);
  if (colour_ == TrajectoryColour::weight && trajectory_ && !weights) setColourBy(TrajectoryColour::shot);
  colourBox_->setCurrentIndex(int(colour_));
  colourBox_->adjustSize();
  colourBox_->move(width() - colourBox_->width() - inset, inset);
}

void TrajectoryView::setColourBy(TrajectoryColour colour) {
  if (colour == TrajectoryColour::weight && trajectory_ && !hasWeights(*trajectory_)) return;
  colourBox_->setCurrentIndex(int(colour));
  if (colour == colour_) return;
  colour_ = colour;
  if (trajectory_) range_ = colourRange(*trajectory_, colour_);
  invalidate();
  Q_EMIT colourByChanged(colour);
}

void TrajectoryView::resetView() {
  azimuth_ = solid() ? startAzimuth : 0;
  constexpr double fromAbove = 90;
  elevation_ = solid() ? startElevation : fromAbove;
  zoom_ = 1;
  pan_ = {};
  invalidate();
}

void TrajectoryView::turn(double azimuth, double elevation) {
  if (!solid()) return;
  constexpr double upright = 90;
  azimuth_ = std::remainder(azimuth_ + azimuth, 360);
  elevation_ = std::clamp(elevation_ + elevation, -upright, upright);
  invalidate();
}

void TrajectoryView::invalidate() {
  drawn_ = false;
  update();
}

// --- geometry ---------------------------------------------------------------------------------------

QRectF TrajectoryView::plotArea() const {
  if (solid()) return rect();
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  const double left = metrics.horizontalAdvance(QStringLiteral("\u22128888")) + metrics.height() + inset;
  const double below = 2.0 * metrics.height() + inset;
  const double above = std::max(colourBox_->height(), metrics.height()) + 2.0 * inset;
  return {left, above, std::max(1.0, width() - left - inset), std::max(1.0, height() - above - below)};
}

KspaceProjection TrajectoryView::projection() const {
  const QRectF area = plotArea();
  KspaceProjection p;
  p.axes = viewAxes(azimuth_, elevation_);
  constexpr double flatFill = 0.94, solidFill = 0.88;
  const double radius = std::hypot(halfSize_[0], halfSize_[1], halfSize_[2]);
  const double fit =
      solid() ? solidFill * std::min(area.width(), area.height()) / (2 * radius)
              : flatFill * std::min(area.width() / (2 * halfSize_[0]), area.height() / (2 * halfSize_[1]));
  p.scale = zoom_ * fit;
  p.centre = area.center() + pan_;
  return p;
}

QPointF TrajectoryView::project(const Vec3& k) const {
  return projection().point(k);
}

void TrajectoryView::ensureDrawn() const {
  if (drawn_ || !trajectory_) return;
  const double ratio = devicePixelRatioF();
  TrajectoryDrawing drawing;
  drawing.projection = projection();
  drawing.projection.scale *= ratio;
  drawing.projection.centre *= ratio;
  drawing.size = {int(std::ceil(width() * ratio)), int(std::ceil(height() * ratio))};
  drawing.colour = colour_;
  drawing.range = range_;
  const double points = trajectory_->samples() > finePoints ? 1 : 2;
  drawing.pointSize = int(std::lround(points * ratio));
  drawing.maximumPoints = coarse_ ? movingPoints : 0;
  drawing.depthRadius = solid() ? std::hypot(halfSize_[0], halfSize_[1], halfSize_[2]) : 0;
  picture_ = drawTrajectory(*trajectory_, drawing);
  picture_.image.setDevicePixelRatio(ratio);
  drawn_ = true;
}

std::optional<std::int64_t> TrajectoryView::sampleAt(const QPointF& point) const {
  if (!trajectory_ || !plotArea().contains(point)) return std::nullopt;
  ensureDrawn();
  const double ratio = picture_.image.devicePixelRatio();
  const int across = picture_.image.width(), down = picture_.image.height();
  const int x = int(point.x() * ratio), y = int(point.y() * ratio), far = int(reach * ratio);
  std::int64_t best = -1;
  int nearest = far * far + 1;
  for (int row = std::max(0, y - far); row <= std::min(down - 1, y + far); ++row) {
    for (int column = std::max(0, x - far); column <= std::min(across - 1, x + far); ++column) {
      const std::int32_t sample =
          picture_.sample[std::size_t(row) * std::size_t(across) + std::size_t(column)];
      const int distance = (row - y) * (row - y) + (column - x) * (column - x);
      if (sample >= 0 && distance < nearest) {
        nearest = distance;
        best = sample;
      }
    }
  }
  if (best < 0) return std::nullopt;
  return best;
}

QString TrajectoryView::describe(std::int64_t sample) const {
  if (!trajectory_ || sample < 0 || sample >= trajectory_->samples()) return {};
  const Trajectory& t = *trajectory_;
  const std::int64_t shot = shotOf(t, sample), begin = t.shotOffsets[std::size_t(shot)];
  const std::int64_t length = t.shotOffsets[std::size_t(shot) + 1] - begin;
  QString text =
      tr("shot %1 / %2   sample %3 / %4").arg(shot).arg(t.shots() - 1).arg(sample - begin).arg(length - 1);
  const Vec3 k = kspacePoint(t, sample);
  text += QLatin1Char('\n');
  for (int d = 0; d < t.dims; ++d)
    text += QStringLiteral("%1 %2   ").arg(axisName(std::size_t(d)), valueText(k[std::size_t(d)]));
  constexpr double milliseconds = 1e3;
  if (hasTimes(t)) text += tr("t %1 ms   ").arg(valueText(t.times[std::size_t(sample)] * milliseconds));
  if (hasWeights(t)) text += tr("w %1").arg(valueText(t.weights[std::size_t(sample)]));
  return text.trimmed();
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
  ensureDrawn();
  painter.setRenderHint(QPainter::Antialiasing);
  if (!solid()) paintFlatAxes(painter);
  painter.save();
  painter.setClipRect(plotArea());
  paintBox(painter, false);
  painter.drawImage(QPointF(0, 0), picture_.image);
  if (solid()) paintBox(painter, true);
  paintHovered(painter);
  painter.restore();
  if (solid()) paintSolidAxes(painter);
  paintLegend(painter);
  if (hovered_ >= 0) {
    const QRectF area = QRectF(rect()).adjusted(inset, inset, -inset - colourBox_->width(), -inset);
    painter.setPen(ImageTheme::text());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, describe(hovered_));
  }
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

// Axis lines and ticks of the flat view, with the unit.
void TrajectoryView::paintFlatAxes(QPainter& painter) const {
  const QRectF area = plotArea();
  const KspaceProjection p = projection();
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(ImageTheme::frame());
  painter.drawRect(area);
  const auto ticks = [&](double pixels, double origin, double start, double sign, auto draw) {
    const double low = (start - origin) / p.scale * sign, span = pixels / p.scale;
    const double from = sign > 0 ? low : low - span, step = tickStep(span);
    for (double k = std::ceil(from / step) * step; k <= from + span; k += step) {
      const double value = std::abs(k) < step / 2 ? 0 : k;
      draw(value, origin + sign * value * p.scale);
    }
  };
  ticks(area.width(), p.centre.x(), area.left(), 1, [&](double k, double x) {
    painter.setPen(ImageTheme::frame());
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setPen(ImageTheme::hint());
    const QRectF label(x - area.width() / 2, area.bottom() + 2, area.width(), metrics.height());
    painter.drawText(label, Qt::AlignHCenter | Qt::AlignTop, valueText(k));
  });
  ticks(area.height(), p.centre.y(), area.top(), -1, [&](double k, double y) {
    painter.setPen(ImageTheme::frame());
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(ImageTheme::hint());
    const QRectF label(0, y - metrics.height() / 2.0, area.left() - 4, metrics.height());
    painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, valueText(k));
  });
  painter.setPen(ImageTheme::text());
  painter.drawText(QRectF(area.left(), height() - metrics.height() - 2, area.width(), metrics.height()),
                   Qt::AlignLeft | Qt::AlignBottom, tr("%1 (cycles/FOV)").arg(axisName(0)));
  painter.save();
  painter.translate(2, area.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, area.height(), metrics.height()), Qt::AlignLeft | Qt::AlignTop,
                   trajectory_->dims > 1 ? tr("%1 (cycles/FOV)").arg(axisName(1)) : QString());
  painter.restore();
  painter.setRenderHint(QPainter::Antialiasing);
}

// The matrix edge. Of a solid box, the edges at the nearest corner are its front.
void TrajectoryView::paintBox(QPainter& painter, bool front) const {
  const KspaceProjection p = projection();
  const Vec3 half{double(matrix_[0]) / 2, double(matrix_[1]) / 2, double(matrix_[2]) / 2};
  QColor line = ImageTheme::letters();
  constexpr int flatOpacity = 170, frontOpacity = 150, backOpacity = 70;
  if (!solid()) {
    line.setAlpha(flatOpacity);
    painter.setPen(QPen(line, 1, Qt::DashLine));
    painter.drawRect(QRectF(p.point({-half[0], half[1], 0}), p.point({half[0], -half[1], 0})));
    return;
  }
  line.setAlpha(front ? frontOpacity : backOpacity);
  painter.setPen(QPen(line, 1));
  for (std::size_t along = 0; along < 3; ++along) {
    const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
    for (int corner = 0; corner < 4; ++corner) {
      Vec3 a{0, 0, 0};
      a[u] = corner & 1 ? half[u] : -half[u];
      a[v] = corner & 2 ? half[v] : -half[v];
      const bool near = a[u] * p.axes[2][u] >= 0 && a[v] * p.axes[2][v] >= 0;
      if (near != front) continue;
      Vec3 b = a;
      a[along] = -half[along];
      b[along] = half[along];
      painter.drawLine(p.point(a), p.point(b));
    }
  }
}

// Names of the solid box's axes, with the value at their positive end.
void TrajectoryView::paintSolidAxes(QPainter& painter) const {
  const KspaceProjection p = projection();
  const QFontMetricsF metrics(painter.font());
  constexpr double beyond = 1.12;
  for (std::size_t d = 0; d < 3; ++d) {
    Vec3 end{0, 0, 0};
    end[d] = double(matrix_[d]) / 2;
    QColor line = ImageTheme::text();
    constexpr int opacity = 120;
    line.setAlpha(opacity);
    painter.setPen(QPen(line, 1));
    painter.drawLine(p.centre, p.point(end));
    Vec3 label = end;
    label[d] *= beyond;
    const QPointF at = p.point(label);
    const QString text = QStringLiteral("%1 %2").arg(axisName(d), valueText(end[d]));
    const QSizeF size(metrics.horizontalAdvance(text) + inset, metrics.height());
    ImageTheme::drawText(
        painter, QRectF(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height()),
        Qt::AlignCenter, text, ImageTheme::letters());
  }
  ImageTheme::drawText(painter, QRectF(rect()).adjusted(inset, inset, -inset, -inset),
                       Qt::AlignLeft | Qt::AlignBottom, tr("cycles/FOV"), ImageTheme::hint());
}

void TrajectoryView::paintHovered(QPainter& painter) const {
  if (hovered_ < 0 || hovered_ >= trajectory_->samples()) return;
  const KspaceProjection p = projection();
  const std::int64_t shot = shotOf(*trajectory_, hovered_);
  const std::int64_t begin = trajectory_->shotOffsets[std::size_t(shot)];
  const std::int64_t end = trajectory_->shotOffsets[std::size_t(shot) + 1];
  QPolygonF path;
  for (std::int64_t i = begin; i < end; ++i) {
    const QPointF at = p.point(kspacePoint(*trajectory_, i));
    if (std::isfinite(at.x()) && std::isfinite(at.y())) path << at;
  }
  constexpr double lineWidth = 1.4, ring = 4;
  painter.setPen(QPen(Qt::white, lineWidth));
  painter.drawPolyline(path);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(p.point(kspacePoint(*trajectory_, hovered_)), ring, ring);
}

QString TrajectoryView::legendText(double value) const {
  constexpr double milliseconds = 1e3;
  if (colour_ == TrajectoryColour::time && hasTimes(*trajectory_))
    return tr("%1 ms").arg(valueText(value * milliseconds));
  if (colour_ == TrajectoryColour::weight) return valueText(value);
  return QString::number(std::int64_t(value));
}

// To the right below: the colours from the lowest value to the highest.
void TrajectoryView::paintLegend(QPainter& painter) const {
  const QFontMetrics metrics = painter.fontMetrics();
  const QString low = legendText(range_.low), high = legendText(range_.high);
  const int right = width() - inset, bottom = height() - inset / 2;
  const int middle = bottom - metrics.height() / 2;
  const int highLeft = right - metrics.horizontalAdvance(high);
  const QRect bar(highLeft - inset / 2 - legendWidth, middle - legendHeight / 2, legendWidth, legendHeight);
  for (int x = 0; x < bar.width(); ++x)
    painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                     QColor(trajectoryColour(double(x) / (bar.width() - 1))));
  painter.setPen(ImageTheme::text());
  painter.drawText(QRect(highLeft, bottom - metrics.height(), right - highLeft + 1, metrics.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, high);
  QString name = colourBox_->currentText().toLower();
  if (range_.logarithmic) name = tr("%1, logarithmic").arg(name);
  const QString lowText = name + QStringLiteral("  ") + low;
  const int lowWidth = metrics.horizontalAdvance(lowText);
  painter.drawText(
      QRect(bar.left() - inset / 2 - lowWidth, bottom - metrics.height(), lowWidth, metrics.height()),
      Qt::AlignRight | Qt::AlignVCenter, lowText);
}

// --- the user ---------------------------------------------------------------------------------------

void TrajectoryView::resizeEvent(QResizeEvent*) {
  colourBox_->move(width() - colourBox_->width() - inset, inset);
  invalidate();
}

void TrajectoryView::mousePressEvent(QMouseEvent* event) {
  last_ = event->position();
  dragging_ = event->button();
}

void TrajectoryView::mouseMoveEvent(QMouseEvent* event) {
  if (!trajectory_) return;
  if (dragging_ == Qt::NoButton) return hover(event->position());
  const QPointF delta = event->position() - last_;
  last_ = event->position();
  startMoving();
  if (dragging_ == Qt::LeftButton && solid()) {
    turn(-degreesPerPixel * delta.x(), degreesPerPixel * delta.y());
  } else {
    pan_ += delta;
    invalidate();
  }
}

void TrajectoryView::mouseReleaseEvent(QMouseEvent*) {
  dragging_ = Qt::NoButton;
}

void TrajectoryView::mouseDoubleClickEvent(QMouseEvent*) {
  resetView();
}

void TrajectoryView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const double factor = std::pow(zoomStep, event->angleDelta().y() / wheelNotch);
  const double zoom = std::clamp(zoom_ * factor, smallestZoom, largestZoom);
  pan_ += (event->position() - projection().centre) * (1 - zoom / zoom_);
  zoom_ = zoom;
  startMoving();
  invalidate();
}

void TrajectoryView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return turn(-keyDegrees, 0);
    case Qt::Key_Right:
      return turn(keyDegrees, 0);
    case Qt::Key_Up:
      return turn(0, keyDegrees);
    case Qt::Key_Down:
      return turn(0, -keyDegrees);
    case Qt::Key_Home:
      return resetView();
    default:
      QWidget::keyPressEvent(event);
  }
}

// Large trajectories are thinned until the view has been still for a moment.
void TrajectoryView::startMoving() {
  if (!trajectory_ || trajectory_->samples() <= movingPoints) return;
  coarse_ = true;
  settle_->start();
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

void TrajectoryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) updateColourBox();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
