// Cost of one execution over α, stacked: interpolation (spread and interpolate), FFT, rest
// (unaccounted included), set-up, and the cost that the model predicts as a dashed line. For each α
// the fastest candidate that meets the accuracy. A path that never meets it (a model without the
// field) has hatched bars and says its error. Other paths of a normal operator are drawn beside
// the grid's bars, each path with different marks: Toeplitz padded at its α_T; a path without a
// ratio in a column to the right, with a line across the chart. Error bars show the quartiles of
// the repeats; a plan that was timed once has a hollow mark without error bar.
#pragma once

#include <array>
#include <map>
#include <string>

#include "widgets/core/plot/plot_names.h"
#include "widgets/profile/charts/chart.h"

namespace spokelab {

enum class TimeScale {
  linear,
  logarithmic,  // each part a line
  share,        // percent of each plan's time
  points,       // millions a second, of an execution
  bandwidth,    // GB/s of the stages, beside the measured ceiling of the memory
};

class TimeChart : public Chart {
  Q_OBJECT

 public:
  explicit TimeChart(QWidget* parent = nullptr);

  void setScale(TimeScale scale);
  std::vector<QRectF> namePlaces() const { return names_.places(); }  // of the paths, in pixels
  std::vector<QRectF> barPlaces() const { return names_.barPlaces(); }

 protected:
  void rebuild() override;
  QString promise() const override { return tr("Time of each plan over α: interpolation, FFT and the rest"); }
  void resetRanges() override;
  bool picksColumns() const override { return true; }
  PlaceMark::At placeOf(const PlanPlace& place) const override;

 private:
  // The candidates of one path, ascending.
  struct Group {
    CandidatePath path;
    int index = 0;         // of the path
    bool inexact = false;  // none of its plans meets the accuracy, and other paths' do
    std::vector<int> members;
    QVector<double> x, top, shown;  // shown: no higher than the chart's ceiling
  };
  std::vector<Group> groupsOf(const std::vector<int>& indices, const std::vector<CandidatePath>& paths);
  // Sets x to the candidate's place; false: its path is not on the chart.
  bool place(const Candidate& candidate, double& x) const;
  struct Layer;
  std::array<Layer, 4> layers() const;
  double factorOf(const Candidate& candidate) const;  // from its seconds to the axis' unit
  void addStack(Group& group, bool inLegend);
  void addLines(Group& group, bool inLegend);
  bool isRate() const { return scale_ == TimeScale::points || scale_ == TimeScale::bandwidth; }
  double rateOf(const Candidate& candidate) const;  // in the axis' unit; 0: not known
  void addRates(Group& group, bool inLegend);
  void addCeilings(const std::vector<Group>& groups);
  void rebuildRates();
  void addBreak(double x);
  void addTotals(const Group& group);
  void addName(const Group& group, const QColor& colour);
  void addTraces(double unit);
  void addPredicted(const std::vector<Group>& groups, double unit);
  void addMarked();
  void addRepeats(const std::vector<Group>& groups, double unit);
  QStringList refusedTexts(const std::vector<CandidatePath>& paths, const std::vector<Group>& groups) const;
  void addNotes(const QStringList& lines);
  void addLoad();

  std::map<std::string, double> columns_;                     // of the paths without a ratio
  double gridEnd_ = 0;                                        // largest α of the grid; 0: none
  double lowest_ = 1, highest_ = 2, longest_ = 1, unit_ = 1;  // unit_: axis units a second
  double ceiling_ = 1;                                        // of the bars
  double smallest_ = 1;                                       // smallest part that is drawn
  PlotNames names_;                                           // of the paths
  TimeScale scale_ = TimeScale::linear;
};

}  // namespace spokelab
