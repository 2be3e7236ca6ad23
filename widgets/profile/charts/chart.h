// The base of the charts: theme, tool tips, and a click that picks a candidate.
//   wheel (with the focus)   zooms at the pointer     drag           zooms into the rectangle
//   Shift or middle drag     moves                    double click   chooses a plan; else shows all
//   Ctrl and drag            marks the plans in the rectangle; a click takes one in or out
//   right click, Menu key    copies as picture, CSV (all data), numbers (drawn ones: Ctrl+C)
//   arrows, Page Up and Down from plan to plan       Home           the tuner's choice
//   Space, click             picks; Enter: chooses; with Ctrl: marks   Esc   no marks
//   + -                      zoom; 0: shows all       Shift, arrows  move
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "widgets/core/chart_theme.h"
#include "widgets/profile/charts/place_mark.h"
#include "widgets/profile/runs/profile_data.h"

namespace spokelab {

class AxisTitles;

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
  // Marks the plan that the sliders choose; without a value there is no mark.
  void setPlace(const std::optional<PlanPlace>& place);
  const PlaceMark& placeMark() const { return placeMark_; }
  // Marks the brushed candidates, in ascending order, by a square around each.
  void setMarked(const std::vector<int>& candidates);
  const std::vector<int>& marked() const { return marked_; }
  virtual int framed() const { return framed_; }  // the candidate that the keyboard is on, or -1
  // The drawn candidates with all their data, as CSV.
  virtual QString csv() const;
  // The drawn coordinates (x, y), separated by tabs, below the titles of the axes.
  virtual QString numbers() const;
  void showAll();
  // The whole title of an axis, also if the plot shows it elided.
  QString titleOf(const QCPAxis* axis) const;
  // The place of a drawn candidate, in widget coordinates; a null point if it is not drawn.
  QPoint positionOf(int candidate) const;

 Q_SIGNALS:
  void candidateSelected(int index);                 // to be looked at
  void candidateChosen(int index);                   // for an image of it
  void pointed(int candidate);                       // by mouse or keyboard; -1: nothing any more
  void brushed(const std::vector<int>& candidates);  // to be marked, ascending

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
  // The place at which a plan would be drawn, timed or not.
  virtual PlaceMark::At placeOf(const PlanPlace&) const { return {}; }
  // Default axis ranges for the data at hand; restored by a double click.
  virtual void resetRanges() = 0;

  // The text of an empty chart, which says what it will show; may be empty.
  virtual QString promise() const { return {}; }
  virtual bool drawsTraces() const { return true; }  // draws other runs even without plans to show

  // The name of an axis and, if known, the workload of its values.
  QString withWorkload(const QString& label) const;
  const ChartTheme& theme() const { return theme_; }
  void putLegendBelow();  // the plot, whose data it would hide
  void refresh();         // rebuild, ranges unless the user zoomed, queued repaint

  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  virtual bool framesSpots() const { return true; }  // the arrow keys go from spot to spot
  void tellPointed(int candidate);
  std::vector<int> drawnCandidates() const;  // ascending

  // The mark of a path, distinct in shape and colour; index: into pathsIn().
  QCPScatterStyle pathMark(int index, double pixels, std::optional<QColor> colour = {}) const;
  QCPGraph* addMarks(const QCPScatterStyle& style, const QVector<double>& x, const QVector<double>& y);
  // Another run's points in its colour, with a line or without; in the legend as long as it has
  // room.
  void addTrace(const RunTrace& trace, const QVector<double>& x, const QVector<double>& y, bool line);
  // Quartiles of repeats about the points (x, y), along one axis.
  struct Bars {
    QVector<double> x, y, below, above;
  };
  void addQuartiles(Qt::Orientation along, const Bars& bars);
  // The tuner's choice (filled) and the user's selection (ring) at these coordinates, and in the
  // legend.
  void markChoice(double x, double y);
  void markSelection(double x, double y);

  static constexpr int minNamedHeight = 300;  // pixels of a chart whose legend has room for more names

  std::vector<Spot> spots_;

 private:
  void fitLegend();
  void wrapLegend();
  void tellPromise();
  void wrapPromise();
  void ringPointed();
  void drawMarked();
  void drawPlace();
  void brush(const QRect& dragged);
  void toggleMark(int candidate);
  void move(const QPoint& by);
  void zoom(double factor);
  int firstFramed(bool choiceFirst) const;
  int neighbour(int right, int down) const;
  int inOrder(int step) const;
  void frame(int candidate);

  ProfileData data_;
  ChartTheme theme_ = ChartTheme::onScreen();
  AxisTitles* axisTitles_;
  QCPTextElement* title_ = nullptr;
  QCPItemTracer* ring_ = nullptr;
  QCPItemText* promise_ = nullptr;  // of a chart without plans
  QString promised_;
  int ringed_ = -1, told_ = -1, framed_ = -1;  // candidates
  std::vector<int> marked_;
  std::vector<QCPItemTracer*> marks_;
  PlaceMark placeMark_;
  std::optional<PlanPlace> place_;
  QPoint pressed_, moved_;
  bool zoomed_ = false, moving_ = false, brushing_ = false, legendWanted_ = false;
};

}  // namespace spokelab
