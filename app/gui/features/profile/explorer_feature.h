// The sweep over plans, the α×W explorer that shows it, and the answer to a click on a plan: its
// image, beside the most accurate plan's image.
#pragma once

#include "app/gui/features/feature.h"
#include "app/gui/session/sweep_plan.h"

namespace spokelab {

class ExplorerFeature : public Feature {
  Q_OBJECT

 public:
  ExplorerFeature(Session& session, const Views& views, QObject* parent);

  void sweep();  // with the parameters, as broad as the explorer says
  void sweep(const SweepPlan& plan);
  void askForSweep();  // the dialog
  // The next result does not answer a click on a plan.
  void forgetClick() { compareNext_ = false; }
  // The charts' plans transform points to points: no image of the scan can be made with them.
  void leaveScan() { ofScan_ = false; }

  QAction* action() const { return action_; }
  QAction* dialogAction() const { return dialogAction_; }

 Q_SIGNALS:
  // note: what else is done than what was timed, or empty
  void planWanted(const spokelab::Candidate& plan, const spokelab::ReconOptions& options,
                  const QString& note);
  void compareRequested();  // of the shown result with the reference

 private:
  bool canSweep();   // else it says why
  bool canAnswer();  // the same
  void answerWith(int candidate);
  void makeImages(const std::vector<int>& plans);  // of the charts' plans, one result each
  void reconstructAccurately(const Candidate& plan, const ReconOptions& options);
  void takeAccurate(const HistoryEntry& entry);
  // Measured in the sweep, where the result's plan is among its plans.
  double errorOf(const HistoryEntry& entry) const;
  int mostAccurateResult() const;  // of the comparable ones that are not shown; 0: none
  void compareWithMostAccurate();

  QAction *action_, *dialogAction_;
  bool ofScan_ = true;        // the charts' plans
  bool compareNext_ = false;  // the next result answers a click on a plan
};

}  // namespace spokelab
