// The α×W explorer: fed by the charts' candidates; a click on a plan is answered with its image, beside that of the most
// accurate plan, and with its stages.
#include <QDockWidget>

#include "app/gui/window/main_window.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer/explorer_view.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr double asAccurate = 1.5;  // a result whose error is within this factor of the best plan's will do

double errorOf(const HistoryEntry& entry) {
  return entry.result->options.exact ? 0 : entry.result->plan.error.relativeL2;
}

}  // namespace

void MainWindow::makeExplorerDock(QDockWidget* besides) {
  explorer_ = new ExplorerView;
  auto* place = addDock(QStringLiteral("explorer-dock"), tr("Explorer"), explorer_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(besides, place);
  besides->raise();
  connect(charts_, &ChartPanel::refreshed, explorer_, &ExplorerView::setData);
  connect(explorer_, &ExplorerView::candidateSelected, charts_, &ChartPanel::candidateSelected);
  connect(explorer_, &ExplorerView::sweepRequested, this, &MainWindow::sweep);
  connect(&session_, &Session::accurateReady, this, [this](const HistoryEntry& entry) {
    history_->model()->add(entry);
    updateActions();
    if (!history_->model()->find(history_->model()->shown())) return showResult(entry);
    compareWithMostAccurate();
  });
}

int MainWindow::mostAccurateResult() const {
  const HistoryEntry* best = nullptr;
  for (const HistoryEntry* entry : comparable()) {
    if (entry->id == history_->model()->shown() || isImported(*entry->result)) continue;
    if (!best || errorOf(*entry) < errorOf(*best)) best = entry;
  }
  return best ? best->id : 0;
}

void MainWindow::compareWithMostAccurate() {
  if (!pinned_)
    if (const int id = mostAccurateResult(); id != 0) setReference(id, false);
  setComparing(true);
}

// The plan's image first; then, unless there is a result that is as accurate, that of the most accurate plan.
void MainWindow::answerWith(const Candidate& plan) {
  const ReconOptions& options = parameters_->options();
  compareNext_ = true;
  session_.reconstructWith(plan, options);
  const ProfileData& data = charts_->data();
  const int best = mostAccurate(data);
  if (pinned_ || best < 0 || best == data.selected || options.iterative.method != ReconMethod::gridding)
    return;
  const Candidate& accurate = data.candidates[std::size_t(best)];
  for (const HistoryEntry& entry : history_->model()->entries()) {
    const bool here = entry.source.lock() == session_.scan() && !isImported(*entry.result);
    if (here && errorOf(entry) <= asAccurate * accurate.predicted.relativeL2) return;
  }
  session_.reconstructAccurately(accurate, options);
}

}  // namespace spokelab
