// The charts and the runs that they draw. A scan's runs are kept in its list until the user deletes
// them. A sweep keeps the charts: the plans of later reconstructions become points among its own.
// Without a sweep, a tuning is replaced by the next one. Runs of another workload have another axis
// and are not drawn.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/features/feature.h"
#include "engine/profile/runs/timed_run.h"
#include "widgets/profile/charts/chart_export.h"

namespace spokelab {

class ChartsFeature : public Feature {
  Q_OBJECT

 public:
  ChartsFeature(Session& session, const Views& views, QObject* parent);

  // All runs of the session, for its file. A run that is being timed has the plans timed so far.
  std::vector<TimedRun> runs();
  std::vector<TimedRun> runsOfScan();     // that is open
  int chosen() const { return chosen_; }  // number of the run that the charts are of; 0: none
  const TimedRun* find(int number) const;
  void restore(const std::vector<TimedRun>& runs, int chosen);

  // Adds runs of an earlier session to the present ones: the newest few, and all that are pinned.
  void adopt(const std::vector<TimedRun>& runs, int chosen);

  void showRun(int number);
  void setVisible(int number, bool visible);
  void hideOthers(int number);
  void setPinned(int number, bool pinned);
  void rename(int number, const QString& name);
  void erase(const std::vector<int>& numbers);

 Q_SIGNALS:
  void runsChanged();  // of the open scan: which there are, their names, what was timed

 private:
  void connectRuns();
  void takeScan();
  void begin(double accuracy);
  void addCandidates(const std::vector<Candidate>& candidates);
  void end(const TuneResult& result);
  void takeResult(const HistoryEntry& entry);
  void nameWorkload(const Workload& workload);
  TimedRun& add(TimedRun run);  // with the next number, of the open scan
  void endLive();
  void takeJob(const JobState& state);
  bool keepsSweep() const;
  bool hasAxisOf(const TimedRun& run) const;
  bool isLive() const;
  std::shared_ptr<const TuneResult> timedSoFar();
  TimedRun* editable(int number);
  bool isOfScan(const TimedRun& run) const;
  const TimedRun* newestDrawn() const;
  int nextNumber() const;
  void nameApart(TimedRun& run);
  void draw(const TimedRun* run);
  void showRunOf(int result);
  void refresh();
  void markShownPlan();
  int candidateOfShown() const;
  void save(ChartKind kind, ChartFormat format);

  std::vector<TimedRun> runs_;  // ascending numbers; `timed` is null in the live one
  std::map<int, std::shared_ptr<const RunTrace>> traces_;
  int chosen_ = 0, live_ = 0;  // numbers; live: it is being timed; 0: none
  // The states of a run are in charts_feature.cpp, "a run from its beginning to its end".
  bool awaitsSecondPlan_ = false;          // cleared by the second candidate and by the job's end
  bool keepsShownSweep_ = false;           // the job is a tuning, and a sweep stays drawn; until its end
  TimedRun startingRun_;                   // what the run of this job will be
  std::vector<Candidate> heldCandidates_;  // of this job, at most one
  std::optional<Workload> workload_;       // of this job; none: not known yet
  std::vector<int> points_;                // runs whose plans are points in the charts, in their order
  std::map<int, int> runsOfResults_;       // the run that a result made
  // The plans that timedSoFar() made, and the generation of the charts' data that they are of.
  std::shared_ptr<const TuneResult> soFar_;
  int soFarGeneration_ = -1;
};

}  // namespace spokelab
