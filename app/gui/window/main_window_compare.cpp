// Two results beside each other: which can be compared, which are.
#include <QAction>
#include <QStackedWidget>

#include "app/gui/window/main_window.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/compare/difference.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/history_list.h"

namespace spokelab {
namespace {

CompareItem compareItem(const HistoryEntry& entry) {
  const Reconstruction& result = *entry.result;
  CompareItem item;
  item.id = entry.id;
  item.image = result.image;
  QString plan = MainWindow::tr("exact sum");
  QString error, shortPlan = plan;
  if (isImported(result)) {
    shortPlan = plan = QString::fromStdString(result.plan.description);
    item.title = MainWindow::tr("%1  %2").arg(QString::number(entry.id), shortPlan);
    item.details = plan;
    return item;
  }
  if (!result.options.exact) {
    Candidate candidate;
    candidate.backend = result.plan.backend;
    candidate.options = result.plan.options;
    plan = candidateTitle(candidate);
    shortPlan =
        MainWindow::tr("α %1 · W %2")
            .arg(numberLabel(result.plan.options.alpha, 3), numberLabel(result.plan.options.width, 2));
    error = MainWindow::tr(", predicted error %1").arg(errorLabel(result.plan.error.relativeL2));
  }
  item.title = MainWindow::tr("%1  %2").arg(QString::number(entry.id), shortPlan);
  item.details = MainWindow::tr("%1%2\n%3, of it transforms %4\ndensity: %5")
                     .arg(plan, error, secondsLabel(result.seconds), secondsLabel(result.timings.total),
                          QString::fromStdString(result.density));
  return item;
}

}  // namespace

bool MainWindow::comparing() const {
  return centre_->currentWidget() == comparison_;
}

std::vector<const HistoryEntry*> MainWindow::comparable() const {
  const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
  std::vector<const HistoryEntry*> found;
  if (!shown) return found;
  for (const HistoryEntry& entry : history_->model()->entries()) {
    if (entry.scan == shown->scan &&
        differenceObstacle(shown->result->image.get(), entry.result->image.get()).isEmpty())
      found.push_back(&entry);
  }
  return found;
}

void MainWindow::setComparing(bool on) {
  const auto others = comparable();
  on = on && others.size() > 1;
  if (on && history_->model()->reference() == 0) {
    for (const HistoryEntry* entry : others) {
      if (entry->id == history_->model()->shown()) continue;
      setReference(entry->id, false);
      break;
    }
  }
  compare_->setChecked(on);
  if (on == comparing()) return;
  centre_->setCurrentWidget(on ? static_cast<QWidget*>(comparison_) : image_);
  centre_->currentWidget()->setFocus();
  updateComparison();
}

void MainWindow::choosePair(int shown, int reference) {
  setReference(reference, true);
  if (shown == history_->model()->shown()) return;
  if (history_->model()->find(shown)) Q_EMIT resultChosen(shown);
  showResultOf(shown);
}

void MainWindow::updateComparison() {
  if (!comparing()) {
    comparison_->setItems({}, 0, 0);  // holds no images that nobody sees
    return;
  }
  std::vector<CompareItem> items;
  for (const HistoryEntry* entry : comparable()) items.push_back(compareItem(*entry));
  comparison_->setItems(items, history_->model()->shown(), history_->model()->reference());
}

}  // namespace spokelab
