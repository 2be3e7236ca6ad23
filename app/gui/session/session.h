// What the window works on: the scan, its results, the jobs. Knows no widgets. Errors end here, once, as a Failure;
// whatever fails or is cancelled, the last scan and the last good result stay.
#pragma once

#include <QObject>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/job_queue.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/backend.h"
#include "engine/recon/explore/field_bench.h"
#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/explore/sweep_layers.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/scan.h"
#include "widgets/recon/history_model.h"

namespace spokelab {

struct DensityTrials;
struct LoadedSession;
class IterationControl;
struct Timeline;
struct Report;
struct ProposedDescription;
struct SimulateOptions;
struct PreviewScan;

// How a saved session is opened where its scan is not what it was.
struct SessionReading {
  QString scanFile;          // the scan is this one; empty: where the session says
  bool anyScan = false;      // its content need not be what it was
  bool withoutScan = false;  // results and options alone
};

class Session : public QObject {
  Q_OBJECT

 public:
  // backends outlive the session, CPU first. wisdomFile empty: nothing is kept.
  explicit Session(std::vector<Backend*> backends, const std::filesystem::path& wisdomFile = {},
                   QObject* parent = nullptr);
  ~Session() override;

  const std::shared_ptr<const Scan>& scan() const { return scan_; }
  const std::map<std::string, std::string>& overrides() const { return overrides_; }
  const QString& file() const { return file_; }  // of the scan; "demo"; empty: none, or simulated
  const std::map<std::string, std::string>& simulation() const { return simulation_; }
  bool isRestoring() const { return restoring_; }  // while a saved session's scan is handed over
  JobQueue& jobs() { return jobs_; }
  const std::vector<Backend*>& backends() const { return backends_; }
  // Where choices about files are kept (remembered_choices.h); empty, as at first: nowhere.
  void setChoicesFile(std::filesystem::path file) { choicesFile_ = std::move(file); }
  const std::filesystem::path& choicesFile() const { return choicesFile_; }
  Wisdom* wisdom() const { return wisdom_.get(); }  // null: nothing is kept
  QString wisdomWarning() const;  // what was wrong with the file of earlier tunings, or empty

  // A file, or "demo". The reader's decisions for another file are forgotten. A plain array is not opened: a description
  // is proposed for it (descriptionProposed).
  void open(const QString& file);
  // The same with decisions told, as they were before: what undo asks for.
  void openWith(const QString& file, const std::map<std::string, std::string>& overrides);
  // Reads the same file again with one decision changed.
  void overrideDecision(const QString& topic, const QString& choice);
  void reconstruct(const ReconOptions& options);
  // With this very plan: a point of a chart.
  void reconstructWith(const Candidate& candidate, const ReconOptions& options);
  // session_preview.cpp: a small, quick image of one frame, by the plan that the cost model finds for the options
  // (previewReady, previewRefused). The latest one wins; what was not ready is dropped. No result of the session.
  void preview(const ReconOptions& options, int frame);
  // The most accurate plan of a chart, to compare others with (accurateReady).
  void reconstructAccurately(const Candidate& candidate, const ReconOptions& options);
  // breadth: other kernels, sources of kernel values, implementations as well.
  void sweep(const ReconOptions& options, const SweepBreadth& breadth = {});
  // A simulated scan takes the place of the open one; truth: the phantom itself becomes a result, too.
  void simulate(const SimulateOptions& options, bool truth);
  // An image file to compare with, given as a result of the open scan (referenceReady).
  void measureCeiling(const QString& backend);  // of its memory
  void openReference(const QString& file);
  void saveScan(const std::filesystem::path& file);  // the open one, as ISMRMRD
  // All methods for density weights on the open scan, side by side.
  void compareDensity(const ReconOptions& options);
  // Of the selected samples with the options' density weights, the first frame's (pointSpreadReady).
  void pointSpread(const ReconOptions& options);
  void saveImage(const HistoryEntry& entry, const std::filesystem::path& file,
                 const WriteOptions& options = {});
  // session_timeline.cpp: of the plan that the CPU's tuner finds for the options.
  void recordTimeline(const ReconOptions& options);
  // session_iterative.cpp: the first frame and slice that the options name.
  void loadMaps(const ReconOptions& options);
  void benchField(const ReconOptions& options);
  // session_surface.cpp: the surface of one frame as a mesh in patient coordinates, by the file's ending .stl or .ply.
  // clip: shares of the sides, from and to along x, y, z.
  void saveSurface(const std::shared_ptr<const Image>& image, int frame, double level,
                   const std::array<double, 6>& clip, const std::filesystem::path& file);
  void saveReport(const Report& report, const std::filesystem::path& folder);
  // session_saved.cpp: a session from its file. Where the scan is missing or another one, scanMissing asks for it.
  // session_replay.cpp: repeats a report (engine/profile/report/replay.h). Its scan becomes the open one, its result a result.
  // scanFile: where the scan lies here; empty: where the report says.
  void replay(const QString& reportJson, const QString& scanFile = {});
  void openSaved(const QString& file, const SessionReading& how = {});

 Q_SIGNALS:
  void scanOpened(std::shared_ptr<const spokelab::Scan> scan);
  void sessionOpened(const QString& file, std::shared_ptr<const spokelab::LoadedSession> loaded);
  void replayed(std::shared_ptr<const spokelab::Report> report);
  void replayNeedsScan(const QString& reportJson, const QString& scan);
  void scanMissing(const QString& file, const QString& scan, const QString& why);
  void resultReady(const spokelab::HistoryEntry& entry);
  void referenceReady(const spokelab::HistoryEntry& entry);
  void previewReady(std::shared_ptr<const spokelab::Image> image, const spokelab::PlanInfo& plan,
                    double seconds);
  void previewRefused(const QString& why);
  void pointSpreadReady(const spokelab::HistoryEntry& entry);
  void accurateReady(const spokelab::HistoryEntry& entry);
  // Candidates of a run begin to come; those of earlier runs are history.
  void profileStarted(double accuracy);
  void candidatesSeen(const std::vector<spokelab::Candidate>& candidates);
  void profileReady(const spokelab::TuneResult& result);
  // Iterations of a reconstruction begin and end; a cancel leaves their last image as a result.
  void iterationsStarted(const QString& title, std::shared_ptr<spokelab::IterationControl> control);
  void iterationsEnded(const QString& how);
  void mapsReady(std::shared_ptr<const spokelab::ScanMaps> maps);
  void ceilingMeasured(const QString& backend, const spokelab::MemoryCeiling& ceiling);
  void fieldBenchStarted();
  void fieldBenchRow(const spokelab::FieldBenchRow& row);
  void fieldBenchEnded();
  void failed(const spokelab::Failure& failure);
  void saved(const QString& file);
  void descriptionProposed(const QString& array,
                           std::shared_ptr<const spokelab::ProposedDescription> proposal);
  void timelineReady(std::shared_ptr<const spokelab::Timeline> timeline);
  void densityCompared(std::shared_ptr<const spokelab::DensityTrials> trials);

 private:
  void read(const QString& file, std::map<std::string, std::string> overrides);
  bool needScan(const QString& toDo);
  // "spokelab VERB" on the open scan, for the list of jobs.
  QString commandFor(const char* verb, const ReconOptions& options,
                     const std::vector<std::string>& more = {}) const;
  void watchIterations(int job, const std::shared_ptr<const Scan>& scan, const ReconOptions& options,
                       std::shared_ptr<IterationControl> control);
  void jobEnded(const JobState& state);
  void endIterations(const Reconstruction& result);
  void deliver(const std::shared_ptr<const Scan>& scan, std::shared_ptr<const Reconstruction> result);
  std::shared_ptr<const Reconstruction> runPlan(const Scan& scan, const ReconOptions& options,
                                                const Candidate& plan, const Progress& progress);

  std::vector<Backend*> backends_;
  std::unique_ptr<Wisdom> wisdom_;
  std::shared_ptr<const Scan> scan_;
  QString file_;
  std::map<std::string, std::string> overrides_, simulation_;
  bool restoring_ = false;
  std::filesystem::path choicesFile_;
  std::shared_ptr<PreviewScan> previewScan_;  // the worker's
  struct Iterating {
    int job = 0;
    std::shared_ptr<const Scan> scan;
    ReconOptions options;
    std::shared_ptr<IterationControl> control;
  } iterating_;
  int benching_ = 0;  // id of the job whose rows the bench shows
  int results_ = 0;
  int profiling_ = 0;  // id of the job whose candidates the charts show
  JobQueue jobs_;      // last: its worker ends before anything it uses
};

}  // namespace spokelab
