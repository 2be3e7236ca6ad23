// Time of one execution over α, stacked: interpolation (spread and interpolate), FFT, rest
// (unaccounted included), and the time that the cost model predicts as a dashed line. For each α
// the fastest candidate that meets the accuracy.
#pragma once

#include "widgets/profile/charts/chart.h"

namespace spokelab {

class TimeChart : public Chart {
  Q_OBJECT

 public:
  explicit TimeChart(QWidget* parent = nullptr);

 protected:
  void rebuild() override;
  void resetRanges() override;
  bool picksColumns() const override { return true; }

 private:
  void addMarked(double unit);
  void addPredicted(const std::vector<int>& indices, double unit);

  double lowest_ = 1, highest_ = 2, longest_ = 1;
};

}  // namespace spokelab
