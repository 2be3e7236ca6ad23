// Ticks of an axis whose labels all differ: digits are added where neighbours would read alike, and
// decades give way to even steps where fewer than two of them are seen.
#pragma once

#include <qcustomplot.h>

namespace spokelab {

class DistinctTicker : public QCPAxisTickerLog {
 public:
  explicit DistinctTicker(bool decades) : decades_(decades) {}
  void setMaxDecades(int count) { maxDecades_ = count; }  // that have room; more are thinned

 protected:
  int getSubTickCount(double tickStep) override;
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar formatChar,
                                     int precision) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

 private:
  bool decades_;
  enum class Steps { decades, oneTwoFive, even };
  Steps steps_ = Steps::even;
  int maxDecades_ = 10;
  bool everyDecade_ = true;
};

// Before each repaint, sets the number of ticks of both axes to what the plot's size has room for.
void keepTicksApart(QCustomPlot& plot);

}  // namespace spokelab
