// The charts of a tune or sweep. A run stays shown until the user clears it or the next one of the
// scan has begun; a result brings its run back.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/features/feature.h"
#include "widgets/profile/charts/chart_export.h"

namespace spokelab {

class ChartsFeature : public Feature {
  Q_OBJECT

 public:
  ChartsFeature(Session& session, const Views& views, QObject* parent);
  void markShownPlan();
  // The charts were set from a saved session, and belong to its results.
  void takeRestored();

 private:
  // What was timed for the open scan in one go.
  struct Run {
    int number = 0;
    double accuracy = 0;
    std::shared_ptr<const TuneResult> timed;  // null while it runs
  };

  void begin(double accuracy);
  void addCandidates(const std::vector<Candidate>& candidates);
  void end(const TuneResult& result);
  void nameWorkload(const Workload& workload);
  void keepLive();
  void forget();
  void showRun(int number);
  void showRunOf(int result);
  void clearRun();
  void listRuns();
  const Run* find(int number) const;
  void save(ChartKind kind, ChartFormat format);

  std::vector<Run> runs_;
  int shown_ = 0, last_ = 0;      // numbers of runs; 0: none
  std::map<int, int> ofResult_;   // result -> run that was shown with it
  bool waits_ = false;            // a job began that has timed nothing yet
  std::vector<Candidate> first_;  // its candidates
  double firstAccuracy_ = 0;
  std::optional<Workload> workload_;  // of the run that has begun; none: not known yet
};

}  // namespace spokelab
