// Relative l2 error (log axis) over α or W: the model's prediction as lines, measured errors as
// points, and the limit that was asked for.
#pragma once

#include <optional>

#include "widgets/profile/charts/chart.h"

namespace spokelab {

class ErrorChart : public Chart {
  Q_OBJECT

 public:
  explicit ErrorChart(QWidget* parent = nullptr);

  // Nothing given: whichever axis gives lines for the data.
  void setAlong(std::optional<Along> along);

 protected:
  void rebuild() override;
  void resetRanges() override;

 private:
  void addFamily(const Family& family, const QColor& colour, bool inLegend);
  void addMarked();
  void addLimit();

  std::optional<Along> wanted_;
  Along along_ = Along::alpha;
  QCPRange xRange_, yRange_;
};

}  // namespace spokelab
