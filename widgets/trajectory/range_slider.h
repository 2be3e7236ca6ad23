// Two handles on a line: a window of values. Drag a handle, or the stretch between them; Left and
// Right move the lower handle, with Shift the upper one; Home opens the window fully.
#pragma once

#include <QWidget>

namespace spokelab {

class RangeSlider : public QWidget {
  Q_OBJECT

 public:
  explicit RangeSlider(QWidget* parent = nullptr);

  void setBounds(double low, double high);
  void setWindow(double low, double high);  // cut to the bounds; never emits
  double low() const { return low_; }
  double high() const { return high_; }
  double minimum() const { return minimum_; }
  double maximum() const { return maximum_; }
  bool isOpen() const { return low_ <= minimum_ && high_ >= maximum_; }

  // The handles' places, in widget coordinates.
  QPointF lowHandle() const { return {position(low_), height() / 2.0}; }
  QPointF highHandle() const { return {position(high_), height() / 2.0}; }

  QSize sizeHint() const override { return {120, 18}; }
  QSize minimumSizeHint() const override { return {60, 18}; }

 Q_SIGNALS:
  void windowMoved(double low, double high);   // while it is dragged
  void windowEdited(double low, double high);  // where it came to rest

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Part { none, low, high, between };
  double position(double value) const;
  double valueAt(double x) const;
  void move(Part part, double from, double to);

  double minimum_ = 0, maximum_ = 1, low_ = 0, high_ = 1;
  double grabbed_ = 0;  // value under the mouse at the last move
  Part part_ = Part::none;
};

}  // namespace spokelab
