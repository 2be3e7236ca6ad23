#include "widgets/core/plot/distinct_ticker.h"

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr int maxMoreDigits = 6, plainDigits = 2, maxPlainDigits = 8;
constexpr double sameNumber = 1e-9;  // relative; of a power, absolute
constexpr double leastPlain = 1e-2, firstNotPlain = 1e3;

// The powers of ten of a range, and one beyond each end.
QVector<double> decadesAround(const QCPRange& range) {
  QVector<double> decades;
  if (!(range.lower > 0) || !std::isfinite(range.upper)) return decades;
  const int last = int(std::ceil(std::log10(range.upper)));
  for (int power = int(std::floor(std::log10(range.lower))); power <= last; ++power)
    decades << std::pow(10, power);
  return decades;
}

// One of `every`, from the first in sight on.
void thin(QVector<double>& ticks, const QCPRange& range, qsizetype every) {
  QVector<double> kept;
  qsizetype place = 0;
  for (const double tick : ticks)
    if (range.contains(tick) && place++ % every == 0) kept << tick;
  ticks = kept;
}

}  // namespace

int DistinctTicker::getSubTickCount(double tickStep) {
  if (steps_ != Steps::decades) return steps_ == Steps::even ? QCPAxisTicker::getSubTickCount(tickStep) : 0;
  return everyDecade_ ? QCPAxisTickerLog::getSubTickCount(tickStep) : 0;
}

QVector<double> DistinctTicker::createTickVector(double tickStep, const QCPRange& range) {
  const auto seen = [&](const QVector<double>& ticks) {
    return std::count_if(ticks.begin(), ticks.end(), [&](double tick) { return range.contains(tick); });
  };
  if (decades_) {
    steps_ = Steps::decades;
    const auto everyFitting = [&](const QVector<double>& ticks) {
      return (seen(ticks) - 1) / std::max(1, maxDecades_) + 1;
    };
    const QVector<double> all = decadesAround(range);
    QVector<double> ticks = all;
    const auto every = everyFitting(ticks);
    everyDecade_ = every <= 1;
    if (!everyDecade_)
      ticks.removeIf([&](double tick) { return std::lround(std::log10(tick)) % every != 0; });
    if (seen(ticks) < 2 && seen(all) > 2) thin(ticks = all, range, every);
    if (seen(ticks) >= 2) return ticks;
    steps_ = Steps::oneTwoFive;
    ticks.clear();
    for (double decade = std::pow(10, std::floor(std::log10(range.lower))); decade <= range.upper;
         decade *= 10)
      for (const double step : {1.0, 2.0, 5.0}) ticks << step * decade;
    if (const auto fitting = everyFitting(ticks); fitting > 1) thin(ticks, range, fitting);
    if (seen(ticks) >= 2) return ticks;
  }
  steps_ = Steps::even;
  return QCPAxisTicker::createTickVector(tickStep, range);
}

// Numbers near 1 are plain where the ticks are not all powers of ten.
QString DistinctTicker::getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) {
  const bool isPlain = decades_ && steps_ != Steps::decades && tick >= leastPlain && tick < firstNotPlain;
  if (!isPlain) return QCPAxisTickerLog::getTickLabel(tick, locale, formatChar, precision);
  for (int digits = precision + plainDigits; digits < maxPlainDigits; ++digits)
    if (std::abs(QString::number(tick, 'g', digits).toDouble() - tick) <= sameNumber * tick)
      return locale.toString(tick, 'g', digits);
  return locale.toString(tick, 'g', maxPlainDigits);
}

void keepTicksApart(QCustomPlot& plot) {
  const auto fit = [&plot] {
    constexpr int besides = 60, wide = 60, high = 26, fewest = 2, most = 5;  // pixels; ticks
    constexpr int wideDecade = 40, highDecade = 18;  // pixels: labels of powers are short
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
      const bool across = axis->orientation() == Qt::Horizontal;
      const int room = (across ? plot.width() : plot.height()) - besides;
      axis->ticker()->setTickCount(std::clamp(room / (across ? wide : high), fewest, most));
      if (auto* ticker = dynamic_cast<DistinctTicker*>(axis->ticker().data()))
        ticker->setMaxDecades(std::max(fewest, room / (across ? wideDecade : highDecade)));
    }
  };
  QObject::connect(&plot, &QCustomPlot::beforeReplot, &plot, fit);
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
