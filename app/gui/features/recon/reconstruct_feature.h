// Reconstructs the open scan: with a plan that is tuned for the parameters, or with one that is
// given.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class IterationControl;
struct Trace;

class ReconstructFeature : public Feature {
  Q_OBJECT

 public:
  ReconstructFeature(Session& session, const Views& views, QObject* parent);

  void run();  // with the parameters as they are
  void reconstruct(const ReconOptions& options);
  // Reconstructs with exactly this plan, a point of a chart. The note is added to the result's
  // notes.
  void reconstructWith(const Candidate& plan, const ReconOptions& options, const QString& note = {});

  QAction* action() const { return action_; }
  QAction* automaticAction() const { return automatic_; }  // checked: when a scan is opened

 Q_SIGNALS:
  void asked();  // the user wants the parameters' own image
  void traced(const QString& title, std::shared_ptr<const spokelab::Trace> trace);  // of a job that is done

 private:
  void tellSlabs();  // greys the option "slabs" where the scan's transforms are not divided
  void takeLambda(double lambda);
  void jobEnded(const JobState& state);
  void keepLastImage();

  QAction *action_, *automatic_;
  // The iterations that run, until their job ends.
  struct Iterating {
    int job = 0;
    std::shared_ptr<const Scan> scan;
    ReconOptions options;
    std::shared_ptr<IterationControl> control;
  } iterating_;
};

}  // namespace spokelab
