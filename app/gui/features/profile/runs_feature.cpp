#include "app/gui/features/profile/runs_feature.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <utility>

#include "app/gui/features/profile/baseline_dialog.h"
#include "app/gui/features/profile/charts_feature.h"
#include "app/gui/features/profile/verdicts.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/runs/compare_runs.h"
#include "engine/profile/runs/runs_json.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/runs/run_table.h"

namespace spokelab {
namespace {

constexpr JobKind exportRunsJob{.name = "export runs"};

}  // namespace

RunsFeature::RunsFeature(Session& session, const Views& views, ChartsFeature& charts, QObject* parent)
    : Feature(session, views, parent), charts_(charts), table_(new RunTable) {
  axes_ = makeAction(this, tr("Parallel a&xes of the runs"), "action-run-axes", {},
                     tr("α, W, method, time and error of all runs, beside their table"));
  axes_->setCheckable(true);
  axes_->setChecked(true);
  connect(axes_, &QAction::triggered, this, [this](bool on) {
    table_->setCoordinatesShown(on);
    if (on) bringUp(table_);
  });
  connect(table_, &RunTable::coordinatesShown, axes_, &QAction::setChecked);
  QDockWidget* dock = addTab(views_, "runs", tr("Runs"), table_);
  connect(dock, &QDockWidget::visibilityChanged, this, [this](bool seen) {
    if (seen && stale_) fill();
  });
  // In the next event, once for all changes: a session fills results and charts in the present one.
  connect(&charts_, &ChartsFeature::runsChanged, this, [this] {
    stale_ = true;
    if (std::exchange(waits_, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
          waits_ = false;
          if (stale_ && table_->isVisible()) fill();
        },
        Qt::QueuedConnection);
  });
  connect(table_, &RunTable::runChosen, &charts_, &ChartsFeature::showRun);
  connect(views_.charts->runs(), &RunList::comparisonWanted, this, &RunsFeature::compare);
  connect(views_.charts->runs(), &RunList::exportWanted, this, &RunsFeature::chooseFile);
}

void RunsFeature::fill() {
  stale_ = false;
  table_->setRuns(charts_.runsOfScan());
}

std::vector<TimedRun> RunsFeature::runsOf(const std::vector<int>& numbers) {
  std::vector<TimedRun> runs = charts_.runs();
  std::erase_if(runs, [&](const TimedRun& run) {
    return std::find(numbers.begin(), numbers.end(), run.number) == numbers.end();
  });
  return runs;
}

void RunsFeature::chooseFile(const std::vector<int>& numbers, RunFormat format) {
  const QString suffix = format == RunFormat::csv ? QStringLiteral("csv") : QStringLiteral("json");
  auto* dialog = dialogToSave(views_.window, tr("Export runs"), "export-runs", QStringLiteral("runs"),
                              QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix), suffix);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, numbers, format](const QString& file) { exportTo(file, numbers, format); });
  dialog->open();
}

void RunsFeature::exportTo(const QString& file, const std::vector<int>& numbers, RunFormat format) {
  const auto runs = std::make_shared<const std::vector<TimedRun>>(runsOf(numbers));
  session_.jobs().submit(exportRunsJob, tr("Save %1").arg(QFileInfo(file).fileName()),
                         [this, file, runs, format](const JobContext&) -> JobQueue::Delivery {
                           writeFileAtomically(file.toStdString(),
                                               format == RunFormat::csv ? toCsv(*runs) : runsText(*runs));
                           return [this, file] { Q_EMIT session_.saved(file); };
                         });
}

void RunsFeature::compare(int before, int after) {
  const std::vector<TimedRun> runs = runsOf({before, after});
  if (runs.size() != 2) return;
  try {
    const auto comparison =
        std::make_shared<const BaselineComparison>(compareRuns(runs.front(), runs.back()));
    auto* dialog = new BaselineDialog(comparison, nullptr, views_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &BaselineDialog::tableRequested, this,
            [this, comparison] { saveVerdicts(this, session_, views_, comparison); });
    dialog->show();
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

}  // namespace spokelab
