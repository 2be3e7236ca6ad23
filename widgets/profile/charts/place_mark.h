// Marks the user's parameters among the plans of a chart: lines that follow the sliders, and a ring
// at the time and error that the models predict.
#pragma once

#include <QString>

#include <limits>

class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;
class QCustomPlot;

namespace spokelab {

struct ChartTheme;

// A plan that need not have been timed. 0: not known.
struct PlanPlace {
  double alpha = 0, width = 0;
  double accuracy = 0;            // requested relative l2 error
  double seconds = 0, error = 0;  // predicted: cost of an execution, relative l2 error

  bool operator==(const PlanPlace&) const = default;
};

// "α 1.43, W 5.2", and below it "predicted 56 ms, error 8.1e-04".
QString placeText(const PlanPlace& place);

// The layer of a chart that is repainted without the rest: the marks that follow pointer and
// sliders.
extern const QString placeLayer;

class PlaceMark {
 public:
  // A place in a chart's coordinates; NaN: the chart has no such coordinate, or it is not known.
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  static double orUnknown(double value) { return value > 0 ? value : unknown; }
  struct At {
    double x = unknown;      // of a line from bottom to top
    double y = unknown;      // of the ring on that line
    double level = unknown;  // of a line from left to right
  };

  explicit PlaceMark(QCustomPlot& plot) : plot_(plot) {}

  void show(const At& at, const QString& text, const ChartTheme& theme);
  void fit();  // the plot's layout has changed
  void hide();
  void forget();  // the plot has removed all items

  bool isShown() const;
  const At& at() const { return at_; }

 private:
  void make();

  QCustomPlot& plot_;
  At at_;
  QCPItemStraightLine *upright_ = nullptr, *level_ = nullptr;
  QCPItemTracer* ring_ = nullptr;
  QCPItemText* text_ = nullptr;
  QString lines_;  // one line if there is no room for more
};

}  // namespace spokelab
