// The state that the window works on: the scan, its results, the queue of jobs. A session knows
// neither widgets nor capabilities: features submit jobs and hand over the results. Errors end
// here, once, as a Failure. A failure or a cancel never discards the last scan or the last good
// result.
#pragma once

#include <QObject>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/job_queue.h"
#include "engine/core/output/job_files.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"
#include "widgets/recon/history_model.h"

namespace spokelab {

struct LoadedSession;
class IterationControl;

// A scan and where it came from: enough to open it again.
struct OpenScan {
  std::shared_ptr<const Scan> scan;
  QString file;                                   // "demo"; empty: none, or simulated
  std::map<std::string, std::string> overrides;   // the reader's decisions that the user changed
  std::map<std::string, std::string> simulation;  // the simulation's options
  SeparateFiles separate{};                       // that belong to the file's samples
};

class Session : public QObject {
  Q_OBJECT

 public:
  // backends outlive the session, CPU first. Without a wisdomFile the session has no wisdom. A file
  // with other content is not changed: see wisdomWarning().
  explicit Session(std::vector<Backend*> backends,
                   const std::optional<std::filesystem::path>& wisdomFile = {}, QObject* parent = nullptr);
  ~Session() override;

  JobQueue& jobs() { return jobs_; }
  const std::vector<Backend*>& backends() const { return backends_; }
  // The file that keeps choices about scans (remembered_choices.h); empty (the default): none are
  // kept.
  void setChoicesFile(std::filesystem::path file) { choicesFile_ = std::move(file); }
  const std::filesystem::path& choicesFile() const { return choicesFile_; }
  Wisdom* wisdom() const { return wisdom_.get(); }  // null: nothing is kept
  QString wisdomWarning() const;                    // why the file of earlier tunings is not used, or empty

  // --- the scan ---
  const std::shared_ptr<const Scan>& scan() const { return open_.scan; }
  const std::map<std::string, std::string>& overrides() const { return open_.overrides; }
  const QString& file() const { return open_.file; }
  const SeparateFiles& separate() const { return open_.separate; }
  ReadOptions reading() const;  // with which the file was read
  const std::map<std::string, std::string>& simulation() const { return open_.simulation; }
  // Takes the place of the open scan: scanOpened, then scanReady.
  void setScan(OpenScan open);
  // The same for a scan whose results are restored, too: no work on it begins by itself.
  void restoreScan(OpenScan open);
  // The scan and the results of a saved session: scanOpened, then sessionOpened.
  void restore(OpenScan open, const QString& file, const std::shared_ptr<const LoadedSession>& loaded);
  bool isRestoring() const { return restoring_; }
  // Tells the failure "Cannot <toDo>" where no scan is open.
  bool needScan(const QString& toDo);
  // "spokelab VERB" on the open scan, for the list of jobs; where the scan was simulated, after a
  // line that makes it.
  QString commandFor(const char* verb, const ReconOptions& options,
                     const std::vector<std::string>& more = {}) const;
  std::string withSimulation(const std::string& command) const;

  // --- its results ---
  HistoryModel& results() { return results_; }
  const HistoryModel& results() const { return results_; }
  const HistoryEntry* shown() const { return results_.find(results_.shown()); }
  const HistoryEntry* reference() const { return results_.find(results_.reference()); }
  // True if the user chose the reference: it is kept when another result is shown.
  bool isReferencePinned() const { return pinned_; }
  // A result with the next number, which is not in the list yet.
  HistoryEntry newEntry(const std::shared_ptr<const Scan>& scan,
                        std::shared_ptr<const Reconstruction> result);
  // A result is added and shown, and told by resultReady.
  // timed: see HistoryEntry.
  void deliver(const std::shared_ptr<const Scan>& scan, std::shared_ptr<const Reconstruction> result,
               std::shared_ptr<const TuneResult> timed = nullptr);
  void addResult(const HistoryEntry& entry);
  void setResults(std::vector<HistoryEntry> entries);  // none is shown
  // If the shown result is removed, the newest remaining result is shown.
  void removeResults(const std::vector<int>& ids);
  void putBackResults(const std::vector<HistoryEntry>& removed);
  void show(int id);
  void choose(int id);  // as show(), by the user: told by resultChosen
  // pinned: by the user, who is told where it cannot be; the reference is then as it was.
  void setReference(int id, bool pinned);
  // Why the shown result cannot be compared with this one, in words; empty: it can, or nothing is
  // shown.
  QString obstacleTo(const HistoryEntry& entry) const;
  // The NRMSE of the shown result against the reference; not finite if unknown.
  void setDifference(double nrmse);

  // --- candidates of plans, for the charts ---
  // From now on candidatesSeen tells this job's candidates, and no other job's.
  void profile(int job, double accuracy);
  void setProfile(const TuneResult& result, double accuracy);  // a finished one

 Q_SIGNALS:
  void scanOpened(std::shared_ptr<const spokelab::Scan> scan);
  void scanReady();  // every feature knows the new scan: work on it may begin
  void sessionOpened(const QString& file, std::shared_ptr<const spokelab::LoadedSession> loaded);
  void resultReady(const spokelab::HistoryEntry& entry);  // computed just now
  void resultChosen(int id);                              // by the user, among those there are
  void resultShown(int id);                               // chosen or computed
  void nothingShown();                                    // the shown one went, and nothing follows
  void resultsRemoved(const std::vector<spokelab::HistoryEntry>& removed);  // by the user
  void referenceChanged();
  void resultsChanged();  // which results there are, which one is shown, which one is the reference
  void profileStarted(double accuracy);
  void workloadKnown(const spokelab::Workload& workload);  // of the sweep that runs
  void candidatesSeen(const std::vector<spokelab::Candidate>& candidates);
  void profileReady(const spokelab::TuneResult& result);
  // Iterations of a reconstruction begin and end; a cancel leaves their last image as a result.
  void iterationsStarted(const QString& title, std::shared_ptr<spokelab::IterationControl> control);
  void lambdaChanged(double lambda);  // of the iterations that run, by the user
  void iterationsEnded(const QString& ending);
  void failed(const spokelab::Failure& failure);
  void saved(const QString& file);

 private:
  void takeScan(OpenScan open);

  JobFiles files_;  // nothing that was opened here is ever written over
  std::vector<Backend*> backends_;
  std::unique_ptr<Wisdom> wisdom_;
  QString wisdomWarning_;  // the reason for missing wisdom
  std::filesystem::path choicesFile_;
  OpenScan open_;
  bool restoring_ = false;
  HistoryModel results_;
  bool pinned_ = false;
  int lastResult_ = 0;
  int profiling_ = 0;  // id of the job whose candidates the charts show
  JobQueue jobs_;      // last: its worker ends before anything it uses
};

}  // namespace spokelab
