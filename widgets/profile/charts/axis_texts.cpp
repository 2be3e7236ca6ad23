#include "widgets/profile/charts/axis_texts.h"

#include <QFontMetrics>

#include <cmath>

#include <qcustomplot.h>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double gapPixels = 6;  // between two texts of a line

// Begin and end of a text along the axis, in pixels.
struct Place {
  double begin, end;
};

Place placeOf(const QCPAxis& axis, const AxisText& text) {
  const QFontMetrics metrics(axis.tickLabelFont());
  const bool across = axis.orientation() == Qt::Horizontal;
  const double half =
      across ? (metrics.horizontalAdvance(text.text) + gapPixels) / 2 : metrics.height() / 2.0;
  const double middle = axis.coordToPixel(text.at);
  return {middle - half, middle + half};
}

// Pixels of y run downwards.
bool touch(const QCPAxis& axis, const AxisText& a, const AxisText& b) {
  const Place one = placeOf(axis, a), other = placeOf(axis, b);
  return one.begin < other.end && other.begin < one.end;
}

}  // namespace

bool standApart(const QCPAxis& axis, const std::vector<AxisText>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i)
    if (touch(axis, texts[i - 1], texts[i])) return false;
  return true;
}

std::vector<AxisText> thinnedOut(const QCPAxis& axis, const std::vector<AxisText>& texts) {
  std::vector<AxisText> visibleTexts;
  for (const AxisText& text : texts)
    if (visibleTexts.empty() || !touch(axis, visibleTexts.back(), text)) visibleTexts.push_back(text);
  return visibleTexts;
}

std::vector<AxisText> decadeTexts(const QCPAxis& axis) {
  const QCPRange range = axis.range();
  std::vector<AxisText> texts;
  if (!(range.lower > 0)) return texts;
  for (double decade = std::pow(10.0, std::floor(std::log10(range.lower))); decade <= range.upper;
       decade *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (range.contains(step * decade)) texts.push_back({step * decade, shortLabel(step * decade, 3)});
  return thinnedOut(axis, texts);
}

bool showTexts(QCPAxis& axis, const std::vector<AxisText>& texts) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const AxisText& text : texts) ticker->addTick(text.at, text.text);
  const auto before = axis.ticker().dynamicCast<QCPAxisTickerText>();
  if (before && before->ticks() == ticker->ticks()) return false;
  axis.setTicker(ticker);
  return true;
}

}  // namespace spokelab
