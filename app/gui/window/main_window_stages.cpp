// The stages of the plan that is looked at: of the result that is shown, or of the chart's point that was clicked.
#include <QDockWidget>

#include "app/gui/window/main_window.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer/quantities.h"
#include "widgets/profile/stage_view.h"
#include "widgets/recon/history_list.h"

namespace spokelab {

void MainWindow::makeStageDock(QDockWidget* besides) {
  stages_ = new StageView;
  auto* place = addDock(QStringLiteral("stages"), tr("Stages"), stages_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(besides, place);
  besides->raise();
  stages_->setTimings({}, {}, {});
  connect(this, &MainWindow::resultShown, this, [this](int id) {
    const HistoryEntry* entry = history_->model()->find(id);
    if (!entry) return;
    const Reconstruction& result = *entry->result;
    Candidate plan;
    plan.backend = result.plan.backend;
    plan.options = result.plan.options;
    const QString title = isImported(result) || result.options.exact
                              ? QString::fromStdString(result.plan.description)
                              : candidateTitle(plan);
    stages_->setTimings(tr("Result %1, all its transforms: %2").arg(id).arg(title),
                        QString::fromStdString(result.plan.backend), result.timings);
  });
  connect(charts_, &ChartPanel::candidateSelected, this, [this](int index) {
    const Candidate& plan = charts_->data().candidates[std::size_t(index)];
    stages_->setTimings(tr("One run, the median of %1: %2").arg(plan.repeats).arg(candidateTitle(plan)),
                        QString::fromStdString(plan.backend), plan.timings);
  });
  connect(&session_, &Session::scanOpened, this, [this] { stages_->setTimings({}, {}, {}); });
  connect(stages_, &StageView::ceilingRequested, &session_, &Session::measureCeiling);
  connect(&session_.jobs(), &JobQueue::jobChanged, stages_,
          [this] { stages_->setBusy(session_.jobs().busy(JobKind::ceiling)); });
  connect(&session_, &Session::ceilingMeasured, this,
          [this](const QString& backend, const MemoryCeiling& ceiling) {
            const QString where = ceiling.threads > 0 ? tr("copy on %1 threads").arg(ceiling.threads)
                                                      : tr("copy on the device");
            stages_->setCeiling(backend, ceiling.bytesPerSecond,
                                tr("%1, median of %2, spread %3")
                                    .arg(where)
                                    .arg(ceiling.repeats)
                                    .arg(percentLabel(ceiling.spread)));
          });
}

}  // namespace spokelab
