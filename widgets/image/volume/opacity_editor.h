// Edits the curve of opacity (0 to 1) over the shown window (0 to 1) by dragging points. The first
// and the last point keep their place on the value axis.
//   left drag            moves a point            double click   adds one
//   right click, Delete  removes one              Tab, Shift+Tab chooses one, arrow keys move it
// The square root of opacity is drawn: most opacities that matter are small.
#pragma once

#include <QWidget>

#include <vector>

#include "widgets/image/volume/volume_style.h"

namespace spokelab {

class OpacityEditor : public QWidget {
  Q_OBJECT

 public:
  explicit OpacityEditor(QWidget* parent = nullptr);

  // Does not emit.
  void setPoints(const std::vector<OpacityPoint>& points);
  const std::vector<OpacityPoint>& points() const { return points_; }
  int chosen() const { return chosen_; }
  QPointF positionOf(int point) const;

  QSize sizeHint() const override { return {260, 120}; }
  QSize minimumSizeHint() const override { return {120, 70}; }

 Q_SIGNALS:
  void changed(const std::vector<spokelab::OpacityPoint>& points);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  QRectF room() const;
  int pointAt(const QPointF& position) const;
  OpacityPoint valueAt(const QPointF& position) const;
  void move(int point, OpacityPoint to);
  void remove(int point);
  void choose(int point);

  std::vector<OpacityPoint> points_;
  int chosen_ = 0;
  bool dragging_ = false;
};

}  // namespace spokelab
