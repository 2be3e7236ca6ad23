#include "app/gui/window/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QTimer>

#include <cmath>
#include <utility>

#include "app/gui/document/workspace.h"
#include "app/gui/features/replay_dialog.h"
#include "app/gui/window/banner.h"
#include "app/gui/window/help_viewer.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/read/read_scan.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer/explorer_view.h"
#include "widgets/profile/explorer/quantities.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/recon/scan/scan_panel.h"
#include "widgets/trajectory/selection_bar.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr double samePlan = 1e-6;  // α and W closer than this are one plan

}  // namespace

MainWindow::MainWindow(Session& session, const std::vector<BackendBadge>& badges, bool remember,
                       QWidget* parent)
    : QMainWindow(parent), session_(session), remember_(remember) {
  setObjectName(QStringLiteral("window"));
  setWindowTitle(QStringLiteral("Spokelab"));
  setAcceptDrops(true);
  makeViews();
  makeDocks();
  makeActions(badges);
  makeMenus();
  connectSession();
  connectViews();
  connectPreviews();
  connectSelection();
  restore();
  updateActions();
  if (const QString warning = session_.wisdomWarning(); !warning.isEmpty())
    log_->append(LogLevel::warning, warning);
}

MainWindow::~MainWindow() = default;

void MainWindow::open(const QString& file) {
  if (isSession(file.toStdString())) {
    workspace_->open(file);
    return;
  }
  if (isReport(file.toStdString())) {
    session_.replay(file);
    return;
  }
  session_.open(file);
  updateActions();
}

void MainWindow::reconstruct() {
  if (!parameters_->isValid()) {
    showFailure(
        {tr("Cannot reconstruct"), tr("a parameter is out of range"), tr("Correct the one marked red")});
    return;
  }
  compareNext_ = false;
  session_.reconstruct(parameters_->options());
}

void MainWindow::sweep() {
  if (!parameters_->isValid()) {
    showFailure({tr("Cannot sweep"), tr("a parameter is out of range"), tr("Correct the one marked red")});
    return;
  }
  session_.sweep(parameters_->options(), explorer_->breadth());
}

void MainWindow::connectSession() {
  connect(&session_, &Session::scanOpened, this, &MainWindow::showScan);
  connect(&session_, &Session::resultReady, this, [this](const HistoryEntry& entry) {
    history_->model()->add(entry);
    showResult(entry);
    if (std::exchange(compareNext_, false)) compareWithMostAccurate();
    log_->append(LogLevel::information, tr("Result %1: %2 in %3")
                                            .arg(entry.id)
                                            .arg(QString::fromStdString(entry.result->plan.description),
                                                 secondsLabel(entry.result->seconds)));
  });
  connect(&session_, &Session::profileStarted, this, [this](double accuracy) {
    charts_->clear(accuracy);
    ++chartRun_;
  });
  connect(&session_, &Session::candidatesSeen, this,
          [this](const std::vector<Candidate>& candidates) { charts_->addCandidates(candidates); });
  connect(&session_, &Session::profileReady, this, [this](const TuneResult& result) {
    charts_->setResult(result);
    markShownPlan();
    if (!result.reason.empty()) log_->append(LogLevel::information, QString::fromStdString(result.reason));
  });
  connect(&session_, &Session::failed, this, &MainWindow::showFailure);
  connect(&session_, &Session::saved, this,
          [this](const QString& file) { log_->append(LogLevel::information, tr("Saved %1").arg(file)); });
  connect(&session_.jobs(), &JobQueue::jobChanged, this, [this](const JobState& state) {
    jobs_->update(state);
    if (state.status == JobStatus::waiting)
      log_->append(LogLevel::detail, tr("Asked for: %1").arg(state.title));
    if (state.status == JobStatus::done)
      log_->append(LogLevel::detail, tr("Done: %1 in %2").arg(state.title, secondsLabel(state.seconds)));
    if (state.status == JobStatus::cancelled)
      log_->append(LogLevel::information, tr("Cancelled: %1").arg(state.title));
    updateActions();
  });
}

void MainWindow::connectViews() {
  connect(scanPanel_, &ScanPanel::overrideRequested, &session_, &Session::overrideDecision);
  connect(jobs_, &JobList::cancelRequested, &session_.jobs(), &JobQueue::cancel);
  connect(charts_, &ChartPanel::candidateSelected, this, &MainWindow::selectCandidate);
  connect(charts_, &ChartPanel::exportRequested, this, &MainWindow::saveChart);
  connect(history_, &HistoryList::showRequested, this, [this](int id) {
    if (history_->model()->find(id)) Q_EMIT resultChosen(id);
    showResultOf(id);
  });
  connect(history_, &HistoryList::commandRequested, this, &MainWindow::copyCommand);
  connect(history_, &HistoryList::referenceRequested, this, [this](int id) { setReference(id, id != 0); });
  connect(history_, &HistoryList::saveRequested, this, &MainWindow::saveImage);
  connect(image_, &ImagePanel::differenceReady, this,
          [this](double nrmse) { history_->model()->setDifference(std::isfinite(nrmse) ? nrmse : -1); });
  connect(comparison_, &CompareView::differenceReady, this,
          [this](double nrmse) { history_->model()->setDifference(std::isfinite(nrmse) ? nrmse : -1); });
  connect(comparison_, &CompareView::pairChosen, this, &MainWindow::choosePair);
  connect(comparison_, &CompareView::closeRequested, this, [this] { setComparing(false); });
  connect(comparison_, &CompareView::message, this,
          [this](const QString& text) { log_->append(LogLevel::warning, text); });
  connect(image_, &ImagePanel::message, this,
          [this](const QString& text) { log_->append(LogLevel::warning, text); });
}

void MainWindow::showScan(const std::shared_ptr<const Scan>& scan) {
  banner_->hide();
  scanPanel_->setScan(scan);
  trajectory_->setScan(scan);
  selection_->setScan(scan);
  if (scan && !session_.isRestoring()) keepFittingSelection(*scan);
  showSelection();
  if (scan) {
    const QString where = QString::fromStdString(scan->path.empty() ? scan->name : scan->path);
    log_->append(LogLevel::information, tr("Opened %1").arg(where));
    for (const auto& warning : scan->warnings)
      log_->append(LogLevel::warning, QString::fromStdString(warning));
    if (!scan->path.empty() && !session_.isRestoring()) addRecent(where);
  }
  setReference(0, false);
  history_->model()->setShown(0);
  compareNext_ = false;
  setComparing(false);
  image_->setImage(nullptr);
  plan_->setResult(nullptr);
  updateMeasured();
  parameters_->setSettled({});
  charts_->clear(parameters_->options().nufft.accuracy);
  ++chartRun_;
  if (scan && automatic_->isChecked() && !session_.isRestoring()) {
    previewOpened();
    reconstruct();
  }
  updateActions();
}

void MainWindow::showResult(const HistoryEntry& entry) {
  const HistoryModel& model = *history_->model();
  if (!pinned_ && model.shown() != 0 && model.shown() != entry.id) setReference(model.shown(), false);
  banner_->hide();
  history_->model()->setDifference(-1);
  history_->model()->setShown(entry.id);
  image_->setImage(entry.result->image);
  if (!std::exchange(restored_, true)) image_->setFrame(previewedFrame_);
  plan_->setResult(entry.result);
  if (entry.source.lock() == session_.scan())
    trajectory_->setTiles(entry.result->plan.grid, entry.result->plan.options.bins);
  updateMeasured();
  ReconOptions settled = entry.result->options;
  settled.nufft = entry.result->plan.options;
  settled.backend = entry.result->plan.backend;
  parameters_->setSettled(settled);
  sliders_->setSettled(settled.nufft);
  sliders_->setNote({});
  markShownPlan();
  updateComparison();
  updateActions();
  Q_EMIT resultShown(entry.id);
}

void MainWindow::showResultOf(int id) {
  if (const HistoryEntry* entry = history_->model()->find(id)) showResult(HistoryEntry(*entry));
}

void MainWindow::setReference(int id, bool pinned) {
  const HistoryEntry* entry = history_->model()->find(id);
  const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
  // Images of different scans say nothing about each other.
  const bool fits = entry && (!shown || shown->scan == entry->scan);
  pinned_ = pinned && fits;
  history_->model()->setDifference(-1);
  history_->model()->setReference(fits ? id : 0);
  updateMeasured();
  image_->setReference(fits ? entry->result->image : nullptr, fits ? tr("result %1").arg(id) : QString());
  updateComparison();
}

void MainWindow::selectCandidate(int index) {
  charts_->setSelected(index);
  answerWith(charts_->data().candidates[std::size_t(index)]);
}

// The plan of the image that is shown, where the charts have it.
void MainWindow::markShownPlan() {
  const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
  if (!shown) return;
  const auto& candidates = charts_->data().candidates;
  const NufftOptions& plan = shown->result->plan.options;
  for (int i = 0; i < int(candidates.size()); ++i) {
    const Candidate& candidate = candidates[std::size_t(i)];
    if (candidate.backend == shown->result->plan.backend &&
        std::abs(candidate.options.alpha - plan.alpha) < samePlan &&
        std::abs(candidate.options.width - plan.width) < samePlan) {
      charts_->setSelected(i);
      return;
    }
  }
  charts_->setSelected(-1);
}

void MainWindow::showFailure(const Failure& failure) {
  banner_->showFailure(failure);
  log_->append(LogLevel::error, banner_->text());
  updateActions();
}

void MainWindow::updateActions() {
  const bool scan = session_.scan() != nullptr;
  reconstruct_->setEnabled(scan);
  sweep_->setEnabled(scan);
  cancel_->setEnabled(session_.jobs().busy());
  const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
  save_->setEnabled(shown != nullptr);
  // Charts, decisions and the command line are those of the scan that is open.
  report_->setEnabled(shown && scan && shown->source.lock() == session_.scan());
  compare_->setEnabled(comparable().size() > 1);
}

QDockWidget* MainWindow::dock(const QString& name) const {
  return findChild<QDockWidget*>(name);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (urls.isEmpty()) return;
  event->acceptProposedAction();
  if (!urls.front().isLocalFile()) {
    showFailure({tr("Cannot open what was dropped"), tr("it is not a file on this machine"),
                 tr("Download it first")});
    return;
  }
  if (urls.size() > 1) {
    log_->append(LogLevel::warning, tr("%1 files were dropped; the first one is opened").arg(urls.size()));
  }
  open(urls.front().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  session_.jobs().cancelAll();
  workspace_->close();
  if (remember_) {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
    settings.setValue(QStringLiteral("window/reconstructOnOpen"), automatic_->isChecked());
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (sized_) return;
  sized_ = true;
  defaultSizes();
}

}  // namespace spokelab
