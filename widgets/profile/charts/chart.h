// The base of the three charts: theme, tool tips, wheel zoom and drag, and a click that picks a
// candidate.
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "widgets/core/chart_theme.h"
#include "widgets/profile/charts/profile_data.h"

namespace spokelab {

class Chart : public QCustomPlot {
  Q_OBJECT

 public:
  explicit Chart(QWidget* parent = nullptr);

  void setData(const ProfileData& data);  // rebuilds and schedules a repaint
  void setTheme(const ChartTheme& theme);
  void setTitle(const QString& title);  // inside the plot, for exported charts

  const ProfileData& data() const { return data_; }
  // Index of the candidate drawn at a widget position, or -1.
  virtual int candidateAt(const QPoint& position) const;
  virtual QString detailsOf(int candidate) const;  // rich text, for its tool tip
  // Where a candidate is drawn, in widget coordinates; a null point where it is not.
  QPoint positionOf(int candidate) const;

 Q_SIGNALS:
  void candidateSelected(int index);

 protected:
  // Something clickable at (x, y) in plot coordinates.
  struct Spot {
    int candidate = -1;
    double x = 0, y = 0;
  };

  // Fill plottables and spots_ from data() in the colours of theme(); axes have been themed.
  virtual void rebuild() = 0;
  // Spots are found by their column (x distance alone) where this is true.
  virtual bool picksColumns() const { return false; }
  // Default axis ranges for the data at hand; restored by a double click.
  virtual void resetRanges() = 0;

  // What an axis is called, and the workload that its values are of, where it is known.
  QString withWorkload(const QString& label) const;
  const ChartTheme& theme() const { return theme_; }
  void refresh();  // rebuild, ranges unless the user zoomed, queued repaint

  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

  // The mark of a path, told apart by shape and colour; index: that of pathsIn().
  QCPScatterStyle pathMark(int index, double pixels) const;
  QCPGraph* addMarks(const QCPScatterStyle& style, const QVector<double>& x, const QVector<double>& y);
  // The tuner's choice (filled) and the user's selection (ring) at these coordinates, and in the
  // legend.
  void markChoice(double x, double y);
  void markSelection(double x, double y);

  std::vector<Spot> spots_;

 private:
  void fitLegend();

  ProfileData data_;
  ChartTheme theme_ = ChartTheme::onScreen();
  QCPTextElement* title_ = nullptr;
  QPoint pressed_;
  bool zoomed_ = false, legendWanted_ = false;
};

}  // namespace spokelab
