// The rows of the table of runs as lines over parallel axes: α, W, method, time and error, small
// numbers at the bottom. A colour is a run. The lines are of one workload: the pinned row's, else
// the current row's, else the most frequent.
//   drag on an axis   lets the rows of a range through     click on it    lets all through
//   hover             the line and its row                 click          current row
//   Left, Right       from axis to axis                    double click   shows the run
//   Up, Down          from line to line along the axis     Enter          shows the run
//   0                 lets all through
#pragma once

#include <QPixmap>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

#include "engine/nufft/problem/workload.h"
#include "widgets/profile/runs/parallel_axis.h"

namespace spokelab {

class RunTableModel;

class RunCoordinates : public QWidget {
  Q_OBJECT

 public:
  static constexpr int axes = 5;
  enum Axis { alphaAxis, widthAxis, methodAxis, timeAxis, errorAxis };

  explicit RunCoordinates(RunTableModel& model, QWidget* parent = nullptr);

  // Rows that the words of the filter let through; the others are not drawn.
  void setWanted(std::vector<bool> rows);
  void setCurrent(int row);  // of the table; -1: none
  void setBrush(Axis axis, std::optional<ParallelAxis::Range> range);
  void clearBrushes();
  bool isBrushed() const;
  // True if the row is drawn and lies in all chosen ranges; also true if none is chosen.
  bool passes(int row) const;
  const ParallelAxis& axis(Axis axis) const { return axes_[std::size_t(axis)]; }
  int rowAt(const QPointF& place) const;  // of the nearest line; -1: none
  QPointF pointOf(int row, Axis axis) const;
  int drawn() const { return int(lines_.size()); }
  int ofOthers() const { return ofOthers_; }  // rows of other workloads, which are not drawn
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void brushed();
  void hovered(int row);  // -1: none
  void rowPicked(int row);
  void rowChosen(int row);

 protected:
  bool event(QEvent* event) override;  // tool tips
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Line {
    int row = 0;
    std::array<double, axes> values{};  // not finite: the plan has none
  };

  void rebuild();
  std::optional<Workload> workloadShown() const;
  bool passes(const Line& line) const;
  const Line* lineOf(int row) const;
  std::vector<double> valuesOf(int axis) const;
  double xOf(int axis) const;
  double yOf(int axis, double value) const;
  int axisAt(const QPointF& place) const;  // -1: none
  double placeAt(double y) const;
  void redraw();
  void paintLine(QPainter& painter, const Line& line) const;
  void paintAxis(QPainter& painter, int axis) const;
  void paintMarked(QPainter& painter) const;
  void dragTo(const QPointF& place);
  void step(int lines);
  QString tipAt(const QPoint& place) const;
  void describe();

  RunTableModel& model_;
  std::array<ParallelAxis, axes> axes_;
  std::vector<Line> lines_;
  std::vector<bool> isRowShown_;
  std::optional<Workload> workload_;
  int ofOthers_ = 0, current_ = -1, framed_ = timeAxis;
  QPixmap drawn_;  // axes and lines, made again when they change
  // True if a line has no value on some axis; such values are drawn below the axes.
  bool missing_ = false;
  bool stale_ = false;  // rows changed while nobody saw it
  // While an axis is held: where it was pressed, and the range that moves.
  int pressedAxis_ = -1;
  QPointF pressed_;
  std::optional<ParallelAxis::Range> moved_;
};

}  // namespace spokelab
