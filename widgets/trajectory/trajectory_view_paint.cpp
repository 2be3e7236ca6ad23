// How the trajectory view is painted: axes, box, points, legend.
#include <cmath>

#include <QComboBox>
#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/trajectory/axis_labels.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr int inset = 8;  // text from the edge
constexpr int shortestLegend = 40, longestLegend = 96, legendHeight = 8;

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
  if (band_) {
    painter.setPen(QPen(ImageTheme::letters(), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(*band_);
  }
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
  // The unit is told once where there is no room for it beside the legend.
  QString across = tr("%1 (cycles/FOV)").arg(axisName(0));
  const double room = legend().left - inset - area.left();
  if (metrics.horizontalAdvance(across) > room) across = axisName(0);
  painter.drawText(QRectF(area.left(), height() - metrics.height() - 2, area.width(), metrics.height()),
                   Qt::AlignLeft | Qt::AlignBottom, across);
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

std::array<TrajectoryView::AxisLabel, 3> TrajectoryView::axisLabels() const {
  std::array<AxisLabel, 3> labels;
  if (!solid()) return labels;
  const QFontMetricsF metrics(ImageTheme::smallFont(font()));
  Vec3 half{};
  std::array<QSizeF, 3> sizes;
  for (std::size_t d = 0; d < 3; ++d) {
    half[d] = double(matrix_[d]) / 2;
    labels[d].text = QStringLiteral("%1 %2").arg(axisName(d), valueText(half[d]));
    sizes[d] = {metrics.horizontalAdvance(labels[d].text) + 2, metrics.height()};
  }
  const auto areas = placeAxisLabels(projection(), half, plotArea(), sizes);
  for (std::size_t d = 0; d < 3; ++d) labels[d].area = areas[d];
  return labels;
}

// Lines from the centre to the positive ends; the names stand beside the box, where they hide no sample.
void TrajectoryView::paintSolidAxes(QPainter& painter) const {
  const KspaceProjection p = projection();
  const auto labels = axisLabels();
  for (std::size_t d = 0; d < 3; ++d) {
    Vec3 end{0, 0, 0};
    end[d] = double(matrix_[d]) / 2;
    QColor line = ImageTheme::text();
    constexpr int opacity = 120;
    line.setAlpha(opacity);
    painter.setPen(QPen(line, 1));
    painter.drawLine(p.centre, p.point(end));
    ImageTheme::drawText(painter, labels[d].area, Qt::AlignCenter, labels[d].text, ImageTheme::letters());
  }
  ImageTheme::drawText(painter, QRectF(rect()).adjusted(inset, inset, -inset, -inset / 2.0),
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
  if (colour_ >= TrajectoryColour::weight) return valueText(value);
  return QString::number(std::int64_t(value));
}

TrajectoryView::Legend TrajectoryView::legend() const {
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  Legend legend;
  QString name = colourBox_->currentText().toLower();
  if (range_.logarithmic) name = tr("%1, logarithmic").arg(name);
  legend.low = name + QStringLiteral("  ") + legendText(range_.low);
  legend.high = legendText(range_.high);
  const int right = width() - inset, bottom = height() - inset / 2;
  const int middle = bottom - metrics.height() / 2;
  const int highLeft = right - metrics.horizontalAdvance(legend.high);
  const int length = std::clamp(width() / 6, shortestLegend, longestLegend);
  legend.bar = QRect(highLeft - inset / 2 - length, middle - legendHeight / 2, length, legendHeight);
  legend.left = legend.bar.left() - inset / 2 - metrics.horizontalAdvance(legend.low);
  return legend;
}

// To the right below: the colours from the lowest value to the highest.
void TrajectoryView::paintLegend(QPainter& painter) const {
  const Legend shown = legend();
  const int lineHeight = painter.fontMetrics().height(), top = height() - inset / 2 - lineHeight;
  for (int x = 0; x < shown.bar.width(); ++x)
    painter.fillRect(shown.bar.left() + x, shown.bar.top(), 1, shown.bar.height(),
                     QColor(trajectoryColour(double(x) / (shown.bar.width() - 1))));
  painter.setPen(ImageTheme::text());
  const int highLeft = shown.bar.right() + 1 + inset / 2;
  painter.drawText(QRect(highLeft, top, width() - inset - highLeft + 1, lineHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, shown.high);
  painter.drawText(QRect(shown.left, top, shown.bar.left() - inset / 2 - shown.left, lineHeight),
                   Qt::AlignRight | Qt::AlignVCenter, shown.low);
}

}  // namespace spokelab
