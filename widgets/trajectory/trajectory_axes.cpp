#include "widgets/trajectory/trajectory_axes.h"

#include <cmath>

#include <QObject>
#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/trajectory/axis_labels.h"

namespace spokelab {
namespace {

QString axisName(std::size_t d) {
  static const std::array<QString, 3> names{QStringLiteral("kx"), QStringLiteral("ky"), QStringLiteral("kz")};
  return names[d];
}

// A round step that puts about five ticks on a span.
double tickStep(double span) {
  constexpr double stepsPerAxis = 5;
  const double raw = span / stepsPerAxis, power = std::pow(10, std::floor(std::log10(raw)));
  for (double m : {1.0, 2.0, 5.0})
    if (raw <= m * power) return m * power;
  return 10 * power;
}

}  // namespace

std::array<TrajectoryAxisLabel, 3> axisLabels(const TrajectoryFrame& frame) {
  std::array<TrajectoryAxisLabel, 3> labels;
  if (!frame.solid) return labels;
  const QFontMetricsF metrics(frame.smallFont);
  Vec3 half{};
  std::array<QSizeF, 3> sizes;
  for (std::size_t d = 0; d < 3; ++d) {
    half[d] = double(frame.matrix[d]) / 2;
    labels[d].text = QStringLiteral("%1 %2").arg(axisName(d), valueText(half[d]));
    sizes[d] = {metrics.horizontalAdvance(labels[d].text) + 2, metrics.height()};
  }
  const auto areas = placeAxisLabels(frame.projection, half, frame.plot, frame.taken, sizes);
  for (std::size_t d = 0; d < 3; ++d) labels[d].area = areas[d];
  return labels;
}

void paintFlatAxes(QPainter& painter, const TrajectoryFrame& frame, double legendLeft) {
  const QRectF area = frame.plot;
  const KspaceProjection p = frame.projection;
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
  // If the unit does not fit beside the legend, only this label shows it.
  QString across = QObject::tr("%1 (cycles/FOV)").arg(axisName(0));
  const double room = legendLeft - ImageTheme::inset - area.left();
  if (metrics.horizontalAdvance(across) > room) across = axisName(0);
  painter.drawText(
      QRectF(area.left(), frame.whole.height() - metrics.height() - 2, area.width(), metrics.height()),
      Qt::AlignLeft | Qt::AlignBottom, across);
  painter.save();
  painter.translate(2, area.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, area.height(), metrics.height()), Qt::AlignLeft | Qt::AlignTop,
                   frame.trajectory.dims > 1 ? QObject::tr("%1 (cycles/FOV)").arg(axisName(1)) : QString());
  painter.restore();
  painter.setRenderHint(QPainter::Antialiasing);
}

void paintSolidAxes(QPainter& painter, const TrajectoryFrame& frame) {
  const KspaceProjection p = frame.projection;
  const auto labels = axisLabels(frame);
  for (std::size_t d = 0; d < 3; ++d) {
    Vec3 end{0, 0, 0};
    end[d] = double(frame.matrix[d]) / 2;
    QColor line = ImageTheme::text();
    constexpr int opacity = 120;
    line.setAlpha(opacity);
    painter.setPen(QPen(line, 1));
    painter.drawLine(p.centre, p.point(end));
    ImageTheme::drawText(painter, labels[d].area, Qt::AlignCenter, labels[d].text, ImageTheme::letters());
  }
  ImageTheme::drawText(
      painter,
      QRectF(frame.whole)
          .adjusted(ImageTheme::inset, ImageTheme::inset, -ImageTheme::inset, -ImageTheme::inset / 2.0),
      Qt::AlignLeft | Qt::AlignBottom, QObject::tr("cycles/FOV"), ImageTheme::hint());
}

void paintBox(QPainter& painter, const TrajectoryFrame& frame, bool front) {
  const KspaceProjection p = frame.projection;
  const Vec3 half{double(frame.matrix[0]) / 2, double(frame.matrix[1]) / 2, double(frame.matrix[2]) / 2};
  QColor line = ImageTheme::letters();
  constexpr int flatOpacity = 170, frontOpacity = 150, backOpacity = 70;
  if (!frame.solid) {
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

void paintHoveredShot(QPainter& painter, const TrajectoryFrame& frame, std::int64_t sample) {
  if (sample < 0 || sample >= frame.trajectory.samples()) return;
  const KspaceProjection p = frame.projection;
  const std::int64_t shot = shotOf(frame.trajectory, sample);
  const std::int64_t begin = frame.trajectory.shotOffsets[std::size_t(shot)];
  const std::int64_t end = frame.trajectory.shotOffsets[std::size_t(shot) + 1];
  QPolygonF path;
  for (std::int64_t i = begin; i < end; ++i) {
    const QPointF at = p.point(kspacePoint(frame.trajectory, i));
    if (std::isfinite(at.x()) && std::isfinite(at.y())) path << at;
  }
  constexpr double lineWidth = 1.4, ring = 4;
  painter.setPen(QPen(Qt::white, lineWidth));
  painter.drawPolyline(path);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(p.point(kspacePoint(frame.trajectory, sample)), ring, ring);
}

}  // namespace spokelab
