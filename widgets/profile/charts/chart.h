// The base of the charts: theme, tool tips, and a click that picks a candidate.
//   wheel (with the focus)   zooms at the pointer     drag                  zooms into the rectangle
//   Shift or middle drag     moves                    double click          shows all
//   right click, Menu key    copies as picture, as CSV (all that is known), as numbers (what is drawn)
#pragma once

#include <qcustomplot.h>

#include <optional>
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
  // The candidate under the mouse in another chart is ringed; -1: none.
  void setPointed(int candidate);
  // All numbers of the candidates that are drawn, as CSV; where they are drawn, separated by tabs.
  virtual QString csv() const;
  virtual QString numbers() const;
  void showAll();
  // Where a candidate is drawn, in widget coordinates; a null point where it is not.
  QPoint positionOf(int candidate) const;

 Q_SIGNALS:
  void candidateSelected(int index);
  void pointed(int candidate);  // by mouse or keyboard; -1: nothing any more

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
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void tellPointed(int candidate);
  std::vector<int> drawnCandidates() const;  // ascending

  // The mark of a path, told apart by shape and colour; index: that of pathsIn().
  QCPScatterStyle pathMark(int index, double pixels, std::optional<QColor> colour = {}) const;
  QCPGraph* addMarks(const QCPScatterStyle& style, const QVector<double>& x, const QVector<double>& y);
  // Another run's points in its colour, with a line or without; in the legend as long as it has room.
  void addTrace(const RunTrace& trace, const QVector<double>& x, const QVector<double>& y, bool line);
  // The tuner's choice (filled) and the user's selection (ring) at these coordinates, and in the
  // legend.
  void markChoice(double x, double y);
  void markSelection(double x, double y);

  std::vector<Spot> spots_;

 private:
  void fitLegend();
  void ringPointed();
  void move(const QPoint& by);

  ProfileData data_;
  ChartTheme theme_ = ChartTheme::onScreen();
  QCPTextElement* title_ = nullptr;
  QCPItemTracer* ring_ = nullptr;
  int ringed_ = -1, told_ = -1;  // candidates
  QPoint pressed_, moved_;
  bool zoomed_ = false, moving_ = false, legendWanted_ = false;
};

}  // namespace spokelab
