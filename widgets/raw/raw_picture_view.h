// A picture of numbers over two axes (engine/scan/look/raw_picture.h): magnitude, its logarithm or
// phase, with the place that is looked at. Rows count from the top.
//   click       looks at the place       Ctrl and click   takes its shot in or out
//   arrows      go from number to number  Ctrl and Space   takes the place's shot in or out
// hovered() tells the cell under the mouse.
#pragma once

#include <optional>
#include <vector>

#include <QImage>
#include <QWidget>

#include "engine/scan/look/raw_picture.h"

namespace spokelab {

enum class RawScale { logarithmic, linear, phase };

class RawPictureView : public QWidget {
  Q_OBJECT

 public:
  struct Cell {
    std::int64_t column = 0, row = 0;
    bool operator==(const Cell&) const = default;
  };

  explicit RawPictureView(QWidget* parent = nullptr);

  void setAxes(const QString& x, const QString& y);
  // An empty picture shows the hint instead.
  void setPicture(RawPicture picture);
  const RawPicture& picture() const { return picture_; }
  void setHint(const QString& hint);
  void setScale(RawScale scale);
  // Cells are as wide as high: the picture keeps the shape of an image.
  void setSquareCells(bool square);
  // The picture is out of date: wanted() asks for another one as soon as the view is seen.
  void invalidate();
  void setPlace(const std::optional<Cell>& place);
  const std::optional<Cell>& place() const { return place_; }
  // For each number of an axis, whether it is chosen; others are darker. Empty: all.
  void setChosen(std::vector<char> columns, std::vector<char> rows);

  // The middle of a cell in the widget, and the cell at a point.
  QPointF pointOf(const Cell& cell) const;
  QSizeF room() const;  // that cells may take
  std::optional<Cell> cellAt(const QPointF& point) const;
  // The smallest and largest value of the colours.
  double low() const { return low_; }
  double high() const { return high_; }

  QSize sizeHint() const override { return {420, 220}; }
  QSize minimumSizeHint() const override { return {120, 90}; }

 Q_SIGNALS:
  void wanted(const QSize& cells);          // at most that many
  void hovered(qint64 column, qint64 row);  // -1, -1 when the mouse leaves
  void placed(qint64 column, qint64 row);   // by the user
  void toggled(qint64 column, qint64 row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF plotArea() const;
  QImage colours() const;
  void measure();
  void paintAxes(QPainter& painter, const QRectF& area) const;
  void paintLegend(QPainter& painter) const;
  void paintUnchosen(QPainter& painter, const QRectF& area) const;
  void go(std::int64_t columns, std::int64_t rows);

  RawPicture picture_;
  QImage image_;
  QString x_, y_, hint_;
  RawScale scale_ = RawScale::logarithmic;
  double low_ = 0, high_ = 1;
  std::optional<Cell> place_, hovered_;
  std::vector<char> chosenColumns_, chosenRows_;
  bool stale_ = false, square_ = false;
};

}  // namespace spokelab
