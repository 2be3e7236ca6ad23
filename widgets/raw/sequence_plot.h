// The plot of a sequence: several axis rectangles whose mouse and keys its owner decides.
#pragma once

#include <functional>

#include <qcustomplot.h>

namespace spokelab {

class SequencePlot : public QCustomPlot {
 public:
  using QCustomPlot::QCustomPlot;

  std::function<void(int x)> clicked;                // pixels
  std::function<void(int pixels)> moved;             // to the right
  std::function<void(double factor, int x)> zoomed;  // factor above 1: nearer
  std::function<bool(QKeyEvent& event)> keyed;       // true: taken

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int pressed_ = 0, last_ = 0;
  bool drags_ = false;
};

}  // namespace spokelab
