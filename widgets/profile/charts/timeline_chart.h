// Bars over time, one row a thread: what each thread spread when
// (engine/nufft/schedule/timeline.h), coloured by the kind of work; gaps are waits. The wheel zooms
// at the pointer, dragging moves, a double click shows all again. Keys are those of all plots
// (widgets/core/plot/plot_keys.h); left and right stay in the row of a thread, Home is the longest bar.
#pragma once

#include <QWidget>

#include <memory>

#include "engine/nufft/schedule/timeline.h"
#include "widgets/core/chart_theme.h"

namespace spokelab {

class TimelineChart : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineChart(QWidget* parent = nullptr);

  void setTimeline(std::shared_ptr<const Timeline> timeline);  // null: none
  const std::shared_ptr<const Timeline>& timeline() const { return timeline_; }

  static QColor colourOf(WorkKind kind, const ChartTheme& theme);
  int intervalAt(const QPoint& position) const;  // of the bar under it; -1: none
  QRectF barOf(int interval) const;
  QString textOf(int interval) const;
  // The first second that is shown.
  double firstSecond() const { return begin_; }
  double lastSecond() const { return end_; }
  int framed() const { return framed_; }  // the bar that the keys are on; -1: none
  QString numbers() const;                // a line for each bar, separated by tabs

 protected:
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
  QRectF plotArea() const;
  double xOf(double second) const;
  double secondAt(double x) const;
  void showRange(double begin, double end);
  void moveTo(double begin);
  void zoom(double factor, double at);
  void showAll();
  void frame(int interval);
  int longest() const;
  int inOrder(int step) const;
  int neighbour(int right, int down) const;
  void paintFrame(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;

  std::shared_ptr<const Timeline> timeline_;
  ChartTheme theme_ = ChartTheme::onScreen();
  int rows_ = 1;
  double begin_ = 0, end_ = 1;
  double dragged_ = 0;  // x of the pointer
  int framed_ = -1;     // interval
};

}  // namespace spokelab
