#include "widgets/core/plot/distinct_ticker.h"

#include <algorithm>

namespace spokelab {
namespace {

constexpr int maxMoreDigits = 6;

}  // namespace

int DistinctTicker::getSubTickCount(double tickStep) {
  return even_ ? QCPAxisTicker::getSubTickCount(tickStep) : QCPAxisTickerLog::getSubTickCount(tickStep);
}

QVector<double> DistinctTicker::createTickVector(double tickStep, const QCPRange& range) {
  even_ = true;
  if (decades_) {
    const QVector<double> ticks = QCPAxisTickerLog::createTickVector(tickStep, range);
    const auto seen =
        std::count_if(ticks.begin(), ticks.end(), [&](double tick) { return range.contains(tick); });
    even_ = seen < 2;
    if (!even_) return ticks;
  }
  return QCPAxisTicker::createTickVector(tickStep, range);
}

QVector<QString> DistinctTicker::createLabelVector(const QVector<double>& ticks, const QLocale& locale,
                                                   QChar formatChar, int precision) {
  QVector<QString> labels;
  for (int more = 0; more <= maxMoreDigits; ++more) {
    labels = QCPAxisTicker::createLabelVector(ticks, locale, formatChar, precision + more);
    QVector<QString> sorted = labels;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) break;
  }
  return labels;
}

}  // namespace spokelab
