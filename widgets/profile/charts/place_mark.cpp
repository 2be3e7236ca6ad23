#include "widgets/profile/charts/place_mark.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double placeLinePen = 1.2, placePen = 2, placePixels = 12;
constexpr int padding = 3, aside = 10;  // pixels
constexpr int behindText = 235;         // of 255
constexpr int stepsPerText = 4;         // between the places that are tried, in the text's height

// The other texts of a plot, in pixels.
std::vector<QRectF> textsBeside(const QCustomPlot& plot, const QCPItemText* own) {
  std::vector<QRectF> places;
  for (int i = 0; i < plot.itemCount(); ++i)
    if (const auto* text = qobject_cast<QCPItemText*>(plot.item(i)); text && text != own && text->visible())
      places.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
  return places;
}

// The free place nearest to a text's home, or at the line's other side; else its home.
QPointF placeNear(const QRectF& home, double otherLeft, const QRectF& area,
                  const std::vector<QRectF>& taken) {
  const double step = home.height() / stepsPerText;
  for (int i = 0; i * step <= area.height(); ++i)
    for (const double by : {-i * step, i * step})
      for (const double left : {home.left(), otherLeft}) {
        const QRectF place(QPointF(left, home.top() + by), home.size());
        if (area.contains(place) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) {
              return other.intersects(place);
            }))
          return place.topLeft();
      }
  return home.topLeft();
}

}  // namespace

const QString placeLayer = QStringLiteral("overlay");

QString placeText(const PlanPlace& place) {
  QStringList pair, predicted;
  if (place.alpha > 0) pair << QStringLiteral("α ") + numberLabel(place.alpha, 3);
  if (place.width > 0) pair << QStringLiteral("W ") + numberLabel(place.width, 2);
  if (place.seconds > 0) predicted << secondsLabel(place.seconds);
  if (place.error > 0) predicted << QCustomPlot::tr("error %1").arg(errorLabel(place.error));
  QString text = pair.join(QStringLiteral(", "));
  if (!predicted.isEmpty())
    text += QLatin1Char('\n') + QCustomPlot::tr("predicted %1").arg(predicted.join(QStringLiteral(",\n")));
  return text;
}

void PlaceMark::make() {
  const auto line = [this] {
    auto* made = new QCPItemStraightLine(&plot_);
    made->setLayer(placeLayer);
    return made;
  };
  upright_ = line();
  level_ = line();
  ring_ = new QCPItemTracer(&plot_);
  ring_->setLayer(placeLayer);
  ring_->setStyle(QCPItemTracer::tsCircle);
  ring_->setSize(placePixels);
  text_ = new QCPItemText(&plot_);
  text_->setLayer(placeLayer);
  text_->setPadding(QMargins(padding, padding, padding, padding));
  text_->position->setType(QCPItemPosition::ptAbsolute);
  // Connected later than the chart's own texts, which have their places by then.
  QObject::connect(&plot_, &QCustomPlot::afterLayout, text_, [this] { fit(); });
}

void PlaceMark::show(const At& at, const QString& text, const ChartTheme& theme) {
  if (!upright_) make();
  at_ = at;
  const bool hasX = std::isfinite(at.x), hasY = std::isfinite(at.y), hasLevel = std::isfinite(at.level);
  upright_->setVisible(hasX);
  level_->setVisible(hasLevel);
  ring_->setVisible(hasX && hasY);
  for (QCPItemStraightLine* line : {upright_, level_}) line->setPen(QPen(theme.selected, placeLinePen));
  ring_->setPen(QPen(theme.selected, placePen));
  ring_->setBrush(theme.background);
  const QCPRange x = plot_.xAxis->range(), y = plot_.yAxis->range();
  if (hasX) {
    upright_->point1->setCoords(at.x, y.lower);
    upright_->point2->setCoords(at.x, y.upper);
  }
  if (hasLevel) {
    level_->point1->setCoords(x.lower, at.level);
    level_->point2->setCoords(x.upper, at.level);
  }
  if (hasX && hasY) ring_->position->setCoords(at.x, at.y);
  lines_ = text;
  text_->setText(text);
  text_->setFont(plot_.xAxis->tickLabelFont());
  text_->setColor(theme.selected);
  QColor behind = theme.background;
  behind.setAlpha(behindText);
  text_->setBrush(behind);
  fit();
}

// Places the text beside the ring, towards the chart's middle, or at the top of the line. Without
// room beside the ring the text is above or below it, so that it is never cut. The text gives way
// to names in the chart, which do not move during a drag.
void PlaceMark::fit() {
  if (!text_ || (!upright_->visible() && !level_->visible())) return;
  const QRect area = plot_.axisRect()->rect();
  const double x = std::isfinite(at_.x) ? plot_.xAxis->coordToPixel(at_.x) : area.left();
  const double y = std::isfinite(at_.y) ? plot_.yAxis->coordToPixel(at_.y) : area.top();
  const bool isInside = x >= area.left() && x <= area.right() && y <= area.bottom();
  text_->setVisible(isInside && !text_->text().isEmpty());
  const bool right = x > area.center().x(), below = y < area.center().y();
  const QFontMetrics metrics(text_->font());
  const bool isLow = metrics.size(0, lines_).height() + 2 * padding > area.height();
  text_->setText(isLow ? QString(lines_)
                             .replace(QStringLiteral(",\n"), QStringLiteral(", "))
                             .replace(QLatin1Char('\n'), QStringLiteral(" · "))
                       : lines_);
  const QSize size = metrics.size(0, text_->text()) + QSize(2 * padding, 2 * padding);
  const int room = right ? int(x) - area.left() : area.right() - int(x);
  double left = right ? x - aside - size.width() : x + aside, top = below ? y : y - size.height();
  if (room < aside + size.width()) {
    left = std::clamp(left, double(area.left()),
                      std::max(double(area.left()), double(area.right() - size.width())));
    top = below ? y + aside : y - aside - size.height();
  }
  top = std::clamp(top, double(area.top()),
                   std::max(double(area.top()), double(area.bottom() - size.height())));
  std::vector<QRectF> taken = textsBeside(plot_, text_);
  if (std::isfinite(at_.y))
    taken.emplace_back(x - placePixels / 2, y - placePixels / 2, placePixels, placePixels);
  const double otherLeft = right ? x + aside : x - aside - size.width();
  text_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  text_->position->setCoords(placeNear({QPointF(left, top), QSizeF(size)}, otherLeft, area, taken));
  text_->setTextAlignment(right ? Qt::AlignRight : Qt::AlignLeft);
}

// Hides the items but keeps them: making them later would repaint the whole chart.
void PlaceMark::hide() {
  at_ = {};
  if (!upright_) make();
  for (QCPAbstractItem* item :
       {static_cast<QCPAbstractItem*>(upright_), static_cast<QCPAbstractItem*>(level_),
        static_cast<QCPAbstractItem*>(ring_), static_cast<QCPAbstractItem*>(text_)})
    item->setVisible(false);
}

void PlaceMark::forget() {
  upright_ = level_ = nullptr;
  ring_ = nullptr;
  text_ = nullptr;
}

bool PlaceMark::isShown() const {
  return upright_ && (upright_->visible() || level_->visible());
}

}  // namespace spokelab
