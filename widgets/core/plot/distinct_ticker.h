// Ticks of an axis whose labels all differ: digits are added where neighbours would read alike, and
// decades give way to even steps where fewer than two of them are seen.
#pragma once

#include <qcustomplot.h>

namespace spokelab {

class DistinctTicker : public QCPAxisTickerLog {
 public:
  explicit DistinctTicker(bool decades) : decades_(decades) {}

 protected:
  int getSubTickCount(double tickStep) override;
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar formatChar,
                                     int precision) override;

 private:
  bool decades_;
  bool even_ = false;  // even steps are shown, not decades
};

}  // namespace spokelab
