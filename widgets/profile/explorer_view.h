// The α×W explorer: a map of plans with boxes for its quantity, rows and filters, and beside it all
// that is known of one plan. This is the plan under the mouse or the keyboard's frame, else the
// selected one, else the tuner's choice. A double click, Enter or the button asks for the plan's
// reconstruction. The sentence below says why the tuner chose what it chose.
#pragma once

#include <QMap>
#include <QString>
#include <QWidget>

#include <array>

#include "engine/recon/explore/sweep_layers.h"
#include "widgets/profile/charts/plan_cells.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace spokelab {

class FlowLayout;
class PlanMap;
class PlanStrip;
class StageBar;

class ExplorerView : public QWidget {
  Q_OBJECT

 public:
  explicit ExplorerView(QWidget* parent = nullptr);

  void setData(const ProfileData& data);
  void setPointed(int candidate);                      // under the mouse in another chart; -1: none
  void setMarked(const std::vector<int>& candidates);  // in a chart; the note says what they range over
  PlanMap* map() const { return map_; }
  StageBar* stages() const { return stages_; }
  int described() const { return described_; }  // the candidate whose numbers are shown, or -1
  QString choiceText() const;                   // the sentence
  // what a sweep covers beside the plans of the parameters
  SweepBreadth breadth() const;

  // Settings as names, for a session: "show", "rows", "kernel", "path", "predicted" ...
  QMap<QString, QString> viewState() const;
  void setViewState(const QMap<QString, QString>& state);

 Q_SIGNALS:
  void candidateSelected(int index);
  void candidateChosen(int index);  // for its image
  void sweepRequested(const spokelab::SweepBreadth& breadth);
  void dialogRequested();                               // asks for the dialog of a sweep's ranges
  void imagesRequested(const std::vector<int>& plans);  // of the marked plans

 private:
  FlowLayout* makeControls();
  QWidget* makeDetails();
  QComboBox* makeBox(const char* name, const QString& label, const QString& help, FlowLayout* row);
  void fillFilters();
  PlanFilter chosenFilter() const;
  void setFilter();
  void describe(int candidate);
  void describePointed(int candidate);
  void describeChosen();
  QString noteOf(const Candidate* plan) const;  // null: none
  QString answerText() const;
  std::vector<int> markedPlans() const;  // those that were timed
  QString markedText() const;

  ProfileData data_;
  PlanFilter filter_;  // as chosen; a name that does not occur leaves all
  int described_ = -1;
  PlanMap* map_;
  StageBar* stages_;
  PlanStrip* strip_;
  QComboBox *show_, *rows_, *implementation_, *kernel_, *precomputation_, *path_;
  QCheckBox* predicted_;
  QToolButton* sweep_;
  QPushButton* images_;
  std::array<QAction*, 4> also_{};
  QLabel *title_, *choice_, *note_;
  QLabel* values_[4][2];  // time, error, memory, grid: measured, predicted
};

}  // namespace spokelab
