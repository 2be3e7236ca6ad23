#include "widgets/trajectory/trajectory_legend.h"

#include <algorithm>

#include <QFontMetrics>
#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {
namespace {

constexpr int minBarLength = 40, maxBarLength = 96, barHeight = 8;

}  // namespace

TrajectoryLegend placeLegend(const QString& low, const QString& high, const QSize& view,
                             const QFont& smallFont) {
  const QFontMetrics metrics(smallFont);
  TrajectoryLegend legend;
  legend.low = low;
  legend.high = high;
  const int right = view.width() - ImageTheme::inset, bottom = view.height() - ImageTheme::inset / 2;
  const int middle = bottom - metrics.height() / 2;
  const int highLeft = right - metrics.horizontalAdvance(legend.high);
  const int length = std::clamp(view.width() / 6, minBarLength, maxBarLength);
  legend.bar = QRect(highLeft - ImageTheme::inset / 2 - length, middle - barHeight / 2, length, barHeight);
  legend.left = legend.bar.left() - ImageTheme::inset / 2 - metrics.horizontalAdvance(legend.low);
  return legend;
}

void paintLegend(QPainter& painter, const TrajectoryLegend& legend, const QSize& view) {
  const int lineHeight = painter.fontMetrics().height(),
            top = view.height() - ImageTheme::inset / 2 - lineHeight;
  for (int x = 0; x < legend.bar.width(); ++x)
    painter.fillRect(legend.bar.left() + x, legend.bar.top(), 1, legend.bar.height(),
                     QColor(trajectoryColour(double(x) / (legend.bar.width() - 1))));
  painter.setPen(ImageTheme::text());
  const int highLeft = legend.bar.right() + 1 + ImageTheme::inset / 2;
  painter.drawText(QRect(highLeft, top, view.width() - ImageTheme::inset - highLeft + 1, lineHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, legend.high);
  painter.drawText(
      QRect(legend.left, top, legend.bar.left() - ImageTheme::inset / 2 - legend.left, lineHeight),
      Qt::AlignRight | Qt::AlignVCenter, legend.low);
}

}  // namespace spokelab
