// Bars over time, in named rows of one or more lanes: the base of all time lines. The wheel zooms
// at the pointer, dragging moves, a double click shows all again. Keys are the same as in all plots
// (widgets/core/plot/plot_keys.h); left and right move in a lane, Home selects the longest bar.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "widgets/core/chart_theme.h"

namespace spokelab {

class BarTimeline : public QWidget {
  Q_OBJECT

 public:
  struct Row {
    QString name;
    int lanes = 1;
  };
  struct Bar {
    int lane = 0;               // of all rows, from the top
    double begin = 0, end = 0;  // seconds
  };

  explicit BarTimeline(QWidget* parent = nullptr);

  int intervalAt(const QPoint& position) const;  // of the bar under it; -1: none
  QRectF barOf(int interval) const;
  // Rich text of a bar, for its tool tip and for screen readers.
  virtual QString textOf(int interval) const = 0;
  virtual QString numbers() const = 0;  // a line for each bar, separated by tabs
  const std::vector<Bar>& bars() const { return bars_; }
  const std::vector<Row>& rows() const { return rows_; }
  double firstSecond() const { return begin_; }
  double lastSecond() const { return end_; }
  int framed() const { return framed_; }  // the bar that the keys are on; -1: none

 protected:
  // Sorted by begin. No rows: there is nothing to show yet.
  void setBars(std::vector<Row> rows, std::vector<Bar> bars, double seconds);
  virtual QColor colourOfBar(int interval) const = 0;
  virtual QString labelOf(int) const { return {}; }  // in a bar with room for it
  virtual QString promise() const = 0;               // while there is nothing to show
  const ChartTheme& theme() const { return theme_; }

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  QSize sizeHint() const override { return {600, 180}; }

 private:
  bool isEmpty() const { return rows_.empty(); }
  int lanes() const;
  QRectF plotArea() const;
  double xOf(double second) const;
  double secondAt(double x) const;
  void showRange(double begin, double end);
  void moveTo(double begin);
  void zoom(double factor, double at);
  void showAll();
  void frame(int interval);
  int longest() const;
  int neighbour(int right, int down) const;
  void paintBars(QPainter& painter) const;
  void paintFrame(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintRowNames(QPainter& painter) const;

  std::vector<Row> rows_;
  std::vector<Bar> bars_;
  double seconds_ = 0;
  ChartTheme theme_ = ChartTheme::onScreen();
  double begin_ = 0, end_ = 1;
  double dragged_ = 0;  // x of the pointer
  int framed_ = -1;     // interval
};

}  // namespace spokelab
