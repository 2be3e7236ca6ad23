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

  void sweep();  // with the parameters, as broad as the explorer's choice
  void sweep(const SweepPlan& plan);
  void askForSweep();  // the dialog
  // The next result does not answer a click on a plan.
  void forgetClick() { awaitsPlanImage_ = false; }
  // The charts' plans transform points to points: no image of the scan can be made with them.
  void leaveScan() { profileIsOfScan_ = false; }

  QAction* action() const { return action_; }
  QAction* dialogAction() const { return dialogAction_; }

 Q_SIGNALS:
  // note: how the reconstruction differs from the timed plan, or empty
  void planWanted(const spokelab::Candidate& plan, const spokelab::ReconOptions& options,
                  const QString& note);
  void compareRequested();  // compare the shown result with the reference

 private:
  // False: it has told the user why.
  bool canSweep();
  bool canMakeImages();
  void reconstructWithPlan(int candidate);
  void makeImages(const std::vector<int>& plans);  // of the charts' plans, one result each
  void reconstructAccurately(const Candidate& plan, const ReconOptions& options);
  void takeAccurate(const HistoryEntry& entry);
  // The result's error: measured by the sweep if it timed the result's plan, else predicted.
  double errorOf(const HistoryEntry& entry) const;
  // The number of the most accurate result that can be compared and is not shown; 0: none.
  int mostAccurateResult() const;
  void compareWithMostAccurate();

  QAction *action_, *dialogAction_;
  // The charts' plans transform a scan. Set by each profile that starts, cleared by leaveScan().
  bool profileIsOfScan_ = true;
  // The next result is taken as the image of a clicked plan, and is compared. Set by a click,
  // cleared by that result, by another request for a reconstruction (forgetClick) and by another
  // scan.
  bool awaitsPlanImage_ = false;
};

}  // namespace spokelab
