// Relative l2 error (log axis) over α or W: the model's prediction as lines, measured errors as
// points, and the limit that was asked for. Toeplitz forms have their α_T on the axis of α; without
// a number on the axis they are lines across the chart.
#pragma once

#include <optional>

#include "widgets/core/plot/plot_names.h"
#include "widgets/profile/charts/chart.h"

namespace spokelab {

class ErrorChart : public Chart {
  Q_OBJECT

 public:
  explicit ErrorChart(QWidget* parent = nullptr);

  // Without a value the chart takes the axis that gives lines for the data.
  void setAlong(std::optional<Along> along);
  std::vector<QRectF> namePlaces() const { return names_.places(); }  // of the paths, in pixels

 protected:
  void rebuild() override;
  QString promise() const override { return tr("Error of each plan over α and W"); }
  void resetRanges() override;
  PlaceMark::At placeOf(const PlanPlace& place) const override;

 private:
  void addFamily(const Family& family, const QColor& colour);
  void addEnd(const QString& name, const QColor& colour, double x, double y);
  void addName(const QString& name, const QColor& colour, const QVector<double>& x, const QVector<double>& y);
  void keepNamesApart();
  void addPath(const Family& family, int index);
  double levelPlace(int index) const;  // of the mark of a path that has no number on the axis
  void addMarked();
  void addTraces();
  void addLimit();

  std::optional<Along> chosenAlong_;
  Along along_ = Along::alpha;
  QCPRange xRange_, yRange_;
  std::vector<QCPItemText*> ends_;  // names of lines
  PlotNames names_;                 // of paths
};

}  // namespace spokelab
