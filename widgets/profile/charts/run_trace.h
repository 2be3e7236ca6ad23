// Another run behind the plans of the charts: its points alone, made once.
#pragma once

#include <QString>

#include <vector>

#include "engine/nufft/tune/result/tune_result.h"

namespace spokelab {

struct RunTrace {
  struct Point {
    double alpha = 0, width = 0;  // 0: its path has none
    double seconds = 0, error = 0;
    bool grid = true;             // of the oversampled grid, not of another path
    bool fastestOfAlpha = false;  // of those that meet the accuracy
  };
  int number = 0;
  QString title;
  std::vector<Point> points;  // ascending in α

  double longest() const;  // largest time of the line over α, s; 0: no line
};

RunTrace traceOf(int number, const QString& title, const TuneResult& timed, double accuracy);

}  // namespace spokelab
