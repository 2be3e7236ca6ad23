// A colour map whose cells are rectangles in vector formats. The class that it extends embeds a
// picture with nine times the chart's pixels there, which takes long to compress and says no more.
#pragma once

#include <cmath>

#include <qcustomplot.h>

namespace spokelab {

class CellMap : public QCPColorMap {
 public:
  using QCPColorMap::QCPColorMap;

 protected:
  void draw(QCPPainter* painter) override {
    if (!painter->modes().testFlag(QCPPainter::pmVectorized)) return QCPColorMap::draw(painter);
    QCPColorGradient colours = gradient();
    painter->setPen(Qt::NoPen);
    const auto edge = [](const QCPAxis* axis, const QCPRange& range, int count, double cell) {
      const double step = count > 1 ? range.size() / (count - 1) : 1;
      return std::round(axis->coordToPixel(range.center() + (cell - double(count) / 2) * step));
    };
    const QCPColorMapData& cells = *data();
    for (int x = 0; x < cells.keySize(); ++x) {
      const double left = edge(keyAxis(), cells.keyRange(), cells.keySize(), x);
      const double right = edge(keyAxis(), cells.keyRange(), cells.keySize(), x + 1);
      for (int y = 0; y < cells.valueSize(); ++y) {
        const int alpha = data()->alpha(x, y);
        if (alpha == 0) continue;
        QColor colour(
            colours.color(data()->cell(x, y), dataRange(), dataScaleType() == QCPAxis::stLogarithmic));
        colour.setAlpha(alpha);
        painter->setBrush(colour);
        const double bottom = edge(valueAxis(), cells.valueRange(), cells.valueSize(), y);
        const double top = edge(valueAxis(), cells.valueRange(), cells.valueSize(), y + 1);
        painter->drawRect(QRectF(QPointF(left, top), QPointF(right, bottom)).normalized());
      }
    }
  }
};

}  // namespace spokelab
