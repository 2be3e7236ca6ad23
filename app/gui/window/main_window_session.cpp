// The window as a saved session, and a saved session in the window.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>

#include <algorithm>

#include "app/gui/document/undo.h"
#include "app/gui/document/workspace.h"
#include "app/gui/features/replay_dialog.h"
#include "app/gui/report/report.h"
#include "app/gui/window/main_window.h"
#include "engine/profile/results/results_read.h"
#include "engine/profile/session/saved_session.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measurement.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer/explorer_view.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

const QString imagePrefix = QStringLiteral("image/"), comparePrefix = QStringLiteral("compare/"),
              explorerPrefix = QStringLiteral("explorer/");

void put(std::map<std::string, std::string>& all, const QString& prefix, const ViewState& state) {
  for (auto it = state.begin(); it != state.end(); ++it)
    all[(prefix + it.key()).toStdString()] = it.value().toStdString();
}

ViewState part(const std::map<std::string, std::string>& all, const QString& prefix) {
  ViewState state;
  for (const auto& [name, value] : all)
    if (const QString key = QString::fromStdString(name); key.startsWith(prefix))
      state[key.mid(prefix.size())] = QString::fromStdString(value);
  return state;
}

std::string packed(const QByteArray& bytes) {
  return bytes.toBase64().toStdString();
}

QByteArray unpacked(const ViewState& state, const char* name) {
  return QByteArray::fromBase64(state.value(QString::fromLatin1(name)).toLatin1());
}

// A result whose image was not kept cannot be listed, only made again.
bool isWhole(const SavedResult& entry) {
  return entry.result && entry.result->image;
}

}  // namespace

SavedSession MainWindow::capture() {
  SavedSession saved;
  const auto scan = session_.scan();
  if (scan) {
    const std::string file = session_.file().toStdString();
    saved.scan = SavedScan{scan->name, file, scan->fingerprint, session_.overrides(), session_.simulation()};
  }
  saved.options = optionValues(parameters_->options());
  const HistoryModel& model = *history_->model();
  for (const HistoryEntry& entry : model.entries())
    saved.results.push_back(
        {entry.id, entry.scan.toStdString(), scan && entry.source.lock() == scan, entry.result});
  saved.shown = model.shown();
  saved.reference = model.reference();
  saved.pinned = pinned_;
  const ProfileData& charts = charts_->data();
  saved.chartAccuracy = charts.accuracy;
  if (!charts.candidates.empty()) {
    // The same object as long as the charts show the same: candidates are only added, or replaced with another choice.
    if (!charted_ || charted_->candidates.size() != charts.candidates.size() ||
        charted_->best != charts.best || chartRun_ != chartedRun_) {
      auto result = std::make_shared<TuneResult>();
      result->candidates = charts.candidates;
      result->best = charts.best;
      result->reason = charts.reason.toStdString();
      charted_ = std::move(result);
      chartedRun_ = chartRun_;
    }
    saved.charts = charted_;
  }
  auto& view = saved.view;
  put(view, imagePrefix, image_->viewState());
  if (comparing()) put(view, comparePrefix, comparison_->viewState());
  put(view, explorerPrefix, explorer_->viewState());
  if (const auto& region = measurement_->region())
    view["measured-region"] =
        numbersText({double(region->low[0]), double(region->low[1]), double(region->low[2]),
                     double(region->high[0]), double(region->high[1]), double(region->high[2]),
                     double(region->ellipse), double(region->through)})
            .toStdString();
  if (const auto& line = measurement_->line())
    view["measured-line"] = numbersText({line->from[0], line->from[1], line->from[2], line->to[0],
                                         line->to[1], line->to[2], double(line->through)})
                                .toStdString();
  view["comparing"] = flagText(comparing()).toStdString();
  view["reconstruct-on-open"] = flagText(automatic_->isChecked()).toStdString();
  view["trajectory-colour"] = std::to_string(int(trajectory_->colourBy()));
  view["geometry"] = packed(saveGeometry());
  view["docks"] = packed(saveState());
  return saved;
}

void MainWindow::apply(const SavedSession& saved) {
  std::vector<std::string> unknown;
  parameters_->setOptions(optionsFromValues(saved.options, unknown));
  for (const std::string& what : unknown)
    log_->append(LogLevel::warning,
                 tr("An option was left at its default: %1").arg(QString::fromStdString(what)));
  std::vector<HistoryEntry> entries;
  for (const SavedResult& entry : saved.results)
    if (isWhole(entry))
      entries.push_back({entry.id, QString::fromStdString(entry.scan), entry.result,
                         entry.ofScan ? session_.scan() : nullptr});
  history_->model()->setEntries(std::move(entries));
  if (const HistoryEntry* shown = history_->model()->find(saved.shown)) showResult(HistoryEntry(*shown));
  setReference(saved.reference, saved.pinned);
  charts_->clear(saved.chartAccuracy);
  ++chartRun_;
  if (saved.charts) charts_->setResult(*saved.charts);
  markShownPlan();
  applyView(saved.view);
  updateActions();
  makeAgain(saved);
}

// The shown result, where its image was lost (a kill while it was written, a file that is gone).
void MainWindow::makeAgain(const SavedSession& saved) {
  for (const SavedResult& entry : saved.results) {
    if (entry.id != saved.shown || isWhole(entry) || !entry.ofScan || !session_.scan()) continue;
    const Reconstruction& result = *entry.result;
    const auto backends = session_.backends();
    const bool here = std::any_of(backends.begin(), backends.end(),
                                  [&](const Backend* b) { return b->name() == result.plan.backend; });
    if (isImported(result)) continue;
    log_->append(LogLevel::information, tr("Result %1 is made again: its image was not kept").arg(entry.id));
    if (!here || result.options.exact) {
      session_.reconstruct(result.options);
    } else {
      Candidate plan;
      plan.backend = result.plan.backend;
      plan.options = result.plan.options;
      session_.reconstructWith(plan, result.options);
    }
  }
}

void MainWindow::applyView(const std::map<std::string, std::string>& view) {
  const ViewState own = part(view, QString());
  automatic_->setChecked(flagOf(own, QStringLiteral("reconstruct-on-open"), automatic_->isChecked()));
  bool ok = false;
  const int colour = own.value(QStringLiteral("trajectory-colour")).toInt(&ok);
  if (ok && colour >= 0 && colour <= int(TrajectoryColour::load))
    trajectory_->setColourBy(TrajectoryColour(colour));
  if (const QByteArray geometry = unpacked(own, "geometry"); !geometry.isEmpty()) restoreGeometry(geometry);
  if (const QByteArray docks = unpacked(own, "docks"); !docks.isEmpty() && restoreState(docks)) sized_ = true;
  const auto r = numbersOf(own.value(QStringLiteral("measured-region")), 8);
  measurement_->setRegion(
      r.empty() ? std::nullopt
                : std::optional(ImageRegion{{std::int64_t(r[0]), std::int64_t(r[1]), std::int64_t(r[2])},
                                            {std::int64_t(r[3]), std::int64_t(r[4]), std::int64_t(r[5])},
                                            r[6] != 0,
                                            std::clamp(int(r[7]), 0, 2)}));
  const auto l = numbersOf(own.value(QStringLiteral("measured-line")), 7);
  measurement_->setLine(
      l.empty()
          ? std::nullopt
          : std::optional(MeasuredLine{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, std::clamp(int(l[6]), 0, 2)}));
  image_->setViewState(part(view, imagePrefix));
  explorer_->setViewState(part(view, explorerPrefix));
  setComparing(flagOf(own, QStringLiteral("comparing"), false));
  if (comparing()) comparison_->setViewState(part(view, comparePrefix));
}

void MainWindow::copyCommand(int id) {
  const HistoryModel& model = *history_->model();
  const HistoryEntry* entry = model.find(id != 0 ? id : model.shown());
  const auto scan = entry ? entry->source.lock() : nullptr;
  const bool spread = entry && entry->result->origin == ResultOrigin::pointSpread;
  if (!scan || (isImported(*entry->result) && !spread)) {
    showFailure({tr("There is no command line"), tr("the result's scan is not open, or it was not computed"),
                 tr("Open its scan again, or choose another result")});
    return;
  }
  ReconOptions options = entry->result->options;
  if (entry->result->plan.backend.size() && !options.exact && !spread) {
    options.nufft = entry->result->plan.options;  // the plan as it was settled: nothing is tuned again
    options.nufft.threads = entry->result->options.nufft.threads;
  }
  const QString line = QString::fromStdString(
      spread ? commandFor("density", *scan, session_.overrides(), options, spreadArguments(options))
             : commandLineFor(*scan, session_.overrides(), options));
  QGuiApplication::clipboard()->setText(line);
  log_->append(LogLevel::information, tr("Copied: %1").arg(line));
}

void MainWindow::makeWorkspace(QMenu* file) {
  workspace_ = new Workspace(*this);
  workspace_->addActions(file);
  addReplay(*this, file);
  undo_ = new Undo(*this);
  undo_->addMenu();
  auto* copy = new QAction(tr("&Copy as command line"), this);
  copy->setObjectName(QStringLiteral("action-copy-command"));
  copy->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
  connect(copy, &QAction::triggered, this, [this] { copyCommand(0); });
  undo_->menu()->addSeparator();
  undo_->menu()->addAction(copy);
  connect(jobs_, &JobList::copied, this,
          [this](const QString& line) { log_->append(LogLevel::information, tr("Copied: %1").arg(line)); });
}

}  // namespace spokelab
