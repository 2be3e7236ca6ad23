// Colours of a trajectory's samples from the lowest value to the highest, with texts at both ends.
#pragma once

#include <QRect>
#include <QString>

class QFont;
class QPainter;
class QSize;

namespace spokelab {

struct TrajectoryLegend {
  QString low, high;  // texts at its ends
  QRect bar;
  int left = 0;  // where its text begins
};

// Places the legend at the lower right of a view of this size. `low` also names the quantity.
TrajectoryLegend placeLegend(const QString& low, const QString& high, const QSize& view,
                             const QFont& smallFont);
void paintLegend(QPainter& painter, const TrajectoryLegend& legend, const QSize& view);

}  // namespace spokelab
