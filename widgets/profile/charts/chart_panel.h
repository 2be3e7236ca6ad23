// The list of runs and the live charts side by side, or, where the panel is narrow, one chart at a
// time with tabs. Candidates are added while a tune or sweep runs. Repaints are gathered: a fast
// sweep costs the window no more than ten a second.
#pragma once

#include <QTimer>
#include <QWidget>

#include <array>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/place_mark.h"
#include "widgets/profile/runs/profile_data.h"

class QHBoxLayout;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace spokelab {

class ElidedLabel;
class ErrorChart;
class PlanMap;
class PlanStrip;
class RunList;
class ScatterChart;
class TimeChart;

class ChartPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ChartPanel(QWidget* parent = nullptr);

  void clear(double accuracy);  // a new run begins
  void addCandidates(const std::vector<Candidate>& candidates);
  void setWorkload(const Workload& workload);  // of the candidates that are being added
  void setResult(const TuneResult& result);    // all candidates at once, and the choice
  // The bandwidth of a backend's memory, the ceiling of the bandwidth chart; kept from run to run.
  void setCeiling(const std::string& backend, double bytesPerSecond);
  void setSelected(int index);  // -1: none
  // Appends plans of reconstructions to data().candidates, in place of those before. Indices of the
  // run's plans remain. clear(), addCandidates() and setResult() remove the appended plans.
  void setResults(const std::vector<Candidate>& plans);
  void pick(int candidate);                              // as a click on it does
  void setPlace(const std::optional<PlanPlace>& place);  // where the sliders are
  void setPointed(int candidate);                        // ringed in all charts; -1: none
  void setMarked(const std::vector<int>& candidates);    // in all charts, until other plans take their place

  void setTraces(std::vector<std::shared_ptr<const RunTrace>> traces);  // runs that are drawn behind
  // Counts the changes of the run's plans: calls of clear(), addCandidates() and setResult().
  int generation() const { return generation_; }

  const ProfileData& data() const { return data_; }
  TimeChart* timeChart() const { return time_; }
  ErrorChart* errorChart() const { return error_; }
  ScatterChart* scatterChart() const { return scatter_; }
  PlanMap* planMap() const { return map_; }
  RunList* runs() const { return runs_; }

  // Number of repaints since construction; tests of throttling read it.
  int repaints() const { return repaints_; }

 Q_SIGNALS:
  // a click: to be looked at; data().candidates[index] is the plan
  void candidateSelected(int index);
  void candidateChosen(int index);                    // a double click, Enter, the button: for its image
  void pointed(int candidate);                        // by the mouse in a chart; -1: nothing any more
  void marked(const std::vector<int>& candidates);    // brushed in a chart, or gone with their run
  void refreshed(const spokelab::ProfileData& data);  // as often as the charts are
  void exportRequested(spokelab::ChartKind kind, spokelab::ChartFormat format);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showPanes();
  void dropResults();
  void schedule();
  void refresh();
  ChartKind shownAs(ChartKind kind) const;
  std::array<Chart*, chartKinds.size()> charts() const;
  QHBoxLayout* addPane(QSplitter* splitter, QWidget* chart, ChartKind kind);

  ProfileData data_;
  QTimer timer_;
  TimeChart* time_ = nullptr;
  ErrorChart* error_ = nullptr;
  ScatterChart* scatter_ = nullptr;
  PlanMap* map_ = nullptr;
  RunList* runs_ = nullptr;
  PlanStrip* strip_ = nullptr;  // of the selected plan
  int repaints_ = 0, generation_ = 0;
  QStackedWidget* errors_ = nullptr;  // shows error_ or scatter_
  QTabBar* tabs_ = nullptr;           // of a narrow panel
  struct Pane {
    QWidget* whole;
    ElidedLabel* title;
    QHBoxLayout* header;
  };
  std::vector<Pane> panes_;
};

}  // namespace spokelab
