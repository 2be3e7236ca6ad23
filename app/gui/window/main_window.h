// The window: puts the views around the image, connects them with the session, and owns nothing that computes.
#pragma once

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include <memory>
#include <vector>

#include "app/cli/backends.h"
#include "app/gui/session/session.h"

class QAction;
class QDockWidget;
class QMenu;
class QStackedWidget;

namespace spokelab {

class Banner;
class ChartPanel;
enum class ChartFormat;
enum class ChartKind;
class CompareView;
class ExplorerView;
class HelpViewer;
class FieldBenchView;
class HistoryList;
class ImagePanel;
class IterationView;
class JobList;
class LogView;
class MapPanel;
class MeasureView;
class Measurement;
class ParameterPanel;
class PlanSliders;
class PlanView;
class ScanPanel;
class SelectionBar;
class StageView;
class TrajectoryView;
class Undo;
class Workspace;
struct SavedSession;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // remember: layout, recent files and switches are kept between runs.
  MainWindow(Session& session, const std::vector<BackendBadge>& badges, bool remember,
             QWidget* parent = nullptr);
  ~MainWindow() override;

  void open(const QString& file);
  void sweep();
  void reconstruct();
  void setComparing(bool on);  // the shown result beside the reference, in place of slices and volume
  // Image, charts, numbers and the command line that repeats them, as a job.
  void writeReport(const HistoryEntry& entry, const std::filesystem::path& folder);

  // main_window_session.cpp: all that a session keeps of the window, and the same set again.
  SavedSession capture();
  void apply(const SavedSession& saved);
  void addRecent(const QString& file);

  Session& session() { return session_; }
  Workspace* workspace() const { return workspace_; }
  Undo* undo() const { return undo_; }
  Banner* banner() const { return banner_; }
  ChartPanel* charts() const { return charts_; }
  CompareView* comparison() const { return comparison_; }
  bool comparing() const;
  HistoryList* history() const { return history_; }
  ImagePanel* image() const { return image_; }
  JobList* jobList() const { return jobs_; }
  ParameterPanel* parameters() const { return parameters_; }
  PlanSliders* sliders() const { return sliders_; }
  ScanPanel* scanPanel() const { return scanPanel_; }
  LogView* log() const { return log_; }
  IterationView* iterations() const { return iterations_; }
  MapPanel* maps() const { return maps_; }
  SelectionBar* selectionBar() const { return selection_; }
  TrajectoryView* trajectory() const { return trajectory_; }
  StageView* stages() const { return stages_; }
  ExplorerView* explorer() const { return explorer_; }
  MeasureView* measureView() const { return measure_; }
  Measurement* measurement() const { return measurement_; }
  void showResultOf(int id);
  void copyCommand(int id);                 // of a result, to the clipboard; 0: the shown one
  void openReference(const QString& file);  // an image to compare with
  FieldBenchView* fieldBench() const { return fieldBench_; }
  QDockWidget* dock(const QString& name) const;

 Q_SIGNALS:
  void resultChosen(int id);  // by the user, among those there are
  void resultShown(int id);   // whoever wanted it

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  // main_window_layout.cpp
  void makeViews();
  void makeDocks();
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* widget, Qt::DockWidgetArea area);
  void defaultSizes();
  void makeActions(const std::vector<BackendBadge>& badges);
  void makeMenus();
  void restore();

  // main_window.cpp
  void connectSession();
  void connectViews();
  void showScan(const std::shared_ptr<const Scan>& scan);
  void showResult(const HistoryEntry& entry);
  void setReference(int id, bool pinned);
  void selectCandidate(int index);
  void markShownPlan();
  void showFailure(const Failure& failure);
  void updateActions();

  // main_window_iterations.cpp: running iterations, maps, the off-resonance bench
  void makeIterationDocks(QDockWidget* besides);
  void addIterationActions(QMenu* menu);
  void loadMaps();
  void benchField();

  // main_window_session.cpp
  void makeWorkspace(QMenu* file);
  void makeAgain(const SavedSession& saved);
  void applyView(const std::map<std::string, std::string>& view);

  // main_window_measure.cpp
  void makeStageDock(QDockWidget* besides);  // main_window_stages.cpp
  void makeMeasureDock(QDockWidget* besides);
  void makeVolumeDock(QDockWidget* besides);  // main_window_volume.cpp
  void updateMeasured();
  void chooseReference();

  // main_window_preview.cpp: images before the result, and the sliders that ask for them
  QWidget* makeParameters();
  void connectPreviews();
  void takeSliders(const ReconOptions& wanted);
  void previewNow();
  void previewOpened();
  void showPreview(const std::shared_ptr<const Image>& image, const PlanInfo& plan, double seconds);

  // main_window_explorer.cpp: the map of plans, and the answer to a click on a plan
  void makeExplorerDock(QDockWidget* besides);
  void answerWith(const Candidate& plan);
  int mostAccurateResult() const;  // of the comparable ones that are not shown; 0: none
  void compareWithMostAccurate();

  // main_window_selection.cpp: shots, samples, coils and times that take part
  QWidget* makeTrajectory();
  void connectSelection();
  void editOption(const QString& name, const QString& value);
  void keepFittingSelection(const Scan& scan);
  void showSelection();

  // main_window_compare.cpp
  std::vector<const HistoryEntry*> comparable() const;  // with the shown result; it is among them
  void choosePair(int shown, int reference);
  void updateComparison();

  // main_window_files.cpp
  void chooseFile();
  void saveImage(int id);
  void saveChart(ChartKind kind, ChartFormat format);
  void saveReport();
  struct DrawnReport;
  void drawNextChart(const std::shared_ptr<DrawnReport>& drawn);
  void fillRecent();
  void showHelp();

  Session& session_;
  bool remember_;
  bool sized_ = false;
  bool pinned_ = false;       // the reference of the comparison is the user's choice
  bool compareNext_ = false;  // the next result is that of a click on a chart

  std::shared_ptr<const TuneResult> charted_;  // what the charts show, for capture()
  int chartRun_ = 0, chartedRun_ = -1;

  Banner* banner_ = nullptr;
  QStackedWidget* centre_ = nullptr;
  ChartPanel* charts_ = nullptr;
  CompareView* comparison_ = nullptr;
  HistoryList* history_ = nullptr;
  ImagePanel* image_ = nullptr;
  JobList* jobs_ = nullptr;
  LogView* log_ = nullptr;
  ParameterPanel* parameters_ = nullptr;
  PlanView* plan_ = nullptr;
  ScanPanel* scanPanel_ = nullptr;
  TrajectoryView* trajectory_ = nullptr;
  HelpViewer* help_ = nullptr;
  IterationView* iterations_ = nullptr;
  MapPanel* maps_ = nullptr;
  FieldBenchView* fieldBench_ = nullptr;
  Workspace* workspace_ = nullptr;
  Undo* undo_ = nullptr;
  MeasureView* measure_ = nullptr;
  StageView* stages_ = nullptr;
  ExplorerView* explorer_ = nullptr;
  PlanSliders* sliders_ = nullptr;
  SelectionBar* selection_ = nullptr;
  std::weak_ptr<const Scan> selectedScan_;  // what is drawn as selected
  std::string selectionKey_;
  int selectionJob_ = 0;  // the latest; older ones are dropped
  QTimer dragging_;       // between two previews of a drag
  QElapsedTimer previewing_;
  int previewedFrame_ = 0;  // of the image before the preview
  bool restored_ = true;    // that frame is shown again
  Measurement* measurement_ = nullptr;

  QAction *open_ = nullptr, *demo_ = nullptr, *reconstruct_ = nullptr, *cancel_ = nullptr, *sweep_ = nullptr,
          *compare_ = nullptr, *report_ = nullptr, *save_ = nullptr, *guide_ = nullptr, *automatic_ = nullptr;
  QMenu* recent_ = nullptr;
  QByteArray defaultState_;
};

}  // namespace spokelab
