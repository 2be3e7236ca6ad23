// A plot of curves. Mouse and keys do what they do in the charts (plot_keys.h); its keys go along
// the points of one curve.
//   wheel (with the focus)   zooms at the pointer     drag           moves
//   double click             shows all                right click    copies
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "widgets/core/chart_theme.h"
#include "widgets/core/plot/plot_names.h"

namespace spokelab {

class AxisTitles;

class CurvePlot : public QCustomPlot {
  Q_OBJECT

 public:
  explicit CurvePlot(QWidget* parent = nullptr);

  void setTheme(const ChartTheme& theme);
  // The ranges that show all; taken at once, unless the user chose others.
  void setWholeRanges(const QCPRange& x, const QCPRange& y);
  void showAll();
  // The curve that the keys go along, and the point of Home (-1: none). Null: no curve.
  void setSteps(const QCPGraph* curve, int home);
  int framed() const { return steps_ ? framed_ : -1; }  // the point that the keys are on; -1: none
  QString numbers() const;                              // all curves, separated by tabs

  // Lines from bottom to top with a text at their upper ends, in place of those before.
  struct Mark {
    double at = 0;
    QString text;
    QColor colour;
  };
  void setMarks(const std::vector<Mark>& marks);
  // Curves that are named at their last point in sight, in their colour, in place of a legend.
  void setNamed(const std::vector<QCPGraph*>& curves);
  std::vector<QRectF> namePlaces() const { return names_.places(); }  // of marks and curves

 Q_SIGNALS:
  void clicked(const QPoint& position);  // by the left button, without a drag
  void pointPicked(int index);           // by a key

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int points() const;
  void frame(int index);
  void ring();
  void zoom(double factor);
  void move(int right, int down);
  void copyNumbers() const;
  void placeNames();

  const QCPGraph* steps_ = nullptr;
  QCPItemTracer* ring_;
  AxisTitles* titles_;
  std::vector<QCPAbstractItem*> marks_;
  struct Named {
    QCPGraph* curve;
    QCPItemText* text;
  };
  std::vector<Named> named_;
  std::vector<QCPItemText*> markTexts_;
  std::vector<double> markPlaces_;
  PlotNames names_;
  int home_ = -1, framed_ = -1;
  QCPRange wholeX_, wholeY_;
  QPoint pressed_;
  bool zoomed_ = false;
};

}  // namespace spokelab
