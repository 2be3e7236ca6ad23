// The three live charts side by side. Candidates are added while a tune or sweep runs; repaints are
// gathered, so that a fast sweep costs the window no more than ten a second.
#pragma once

#include <QTimer>
#include <QWidget>

#include <vector>

#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/profile_data.h"

class QComboBox;
class QHBoxLayout;
class QSplitter;

namespace spokelab {

class ErrorChart;
class PlanMap;
class TimeChart;

class ChartPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ChartPanel(QWidget* parent = nullptr);

  void clear(double accuracy);  // a new run begins
  void addCandidates(const std::vector<Candidate>& candidates);
  void setWorkload(const Workload& workload);  // of the candidates that are being added
  void setResult(const TuneResult& result);    // all candidates at once, and the choice
  void setSelected(int index);                 // -1: none

  // The runs that can be shown again, and the one that is; 0: none.
  struct Run {
    int number = 0;
    QString title;
  };
  void setRuns(const std::vector<Run>& runs, int shown);
  // Changes with what is shown, and with nothing else.
  int generation() const { return generation_; }

  const ProfileData& data() const { return data_; }
  TimeChart* timeChart() const { return time_; }
  ErrorChart* errorChart() const { return error_; }
  PlanMap* planMap() const { return map_; }

  // Number of repaints since construction; tests of throttling read it.
  int repaints() const { return repaints_; }

 Q_SIGNALS:
  // a click; data().candidates[index] is the plan
  void candidateSelected(int index);
  void runChosen(int number);
  void clearRequested();
  void refreshed(const spokelab::ProfileData& data);  // as often as the charts are
  void exportRequested(spokelab::ChartKind kind, spokelab::ChartFormat format);

 private:
  void schedule();
  void refresh();
  QHBoxLayout* addPane(QSplitter* splitter, QWidget* chart, ChartKind kind);

  ProfileData data_;
  QTimer timer_;
  TimeChart* time_ = nullptr;
  ErrorChart* error_ = nullptr;
  PlanMap* map_ = nullptr;
  QComboBox* runs_ = nullptr;
  int repaints_ = 0, generation_ = 0;
};

}  // namespace spokelab
