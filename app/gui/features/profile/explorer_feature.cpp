#include "app/gui/features/profile/explorer_feature.h"

#include <QAction>

#include <utility>

#include "app/gui/features/profile/sweep_dialog.h"
#include "app/gui/session/plan_job.h"
#include "widgets/image/compare/difference.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind accurateJob{.name = "most accurate plan", .urgent = true};
constexpr JobKind imagesJob{.name = "images of plans"};
// A result whose error is at most this factor times the most accurate plan's serves in its place.
constexpr double maxErrorRatio = 1.5;

// Only images of one method are compared: a method changes an image more than a plan does.
bool sameMethod(const ReconOptions& a, const ReconOptions& b) {
  return a.iterative.method == b.iterative.method;
}

}  // namespace

ExplorerFeature::ExplorerFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Sweep"), "action-sweep", Qt::Key_F5,
                       tr("Time plans over oversampling ratio and kernel width"));
  dialogAction_ = makeAction(this, tr("Sweep…"), "action-sweep-dialog", Qt::SHIFT | Qt::Key_F5,
                             tr("Choose what a sweep varies, and see its duration"));
  for (QAction* action : {action_, dialogAction_}) action->setEnabled(false);
  connect(action_, &QAction::triggered, this, qOverload<>(&ExplorerFeature::sweep));
  connect(dialogAction_, &QAction::triggered, this, &ExplorerFeature::askForSweep);
  connect(views_.charts, &ChartPanel::refreshed, views_.explorer, &ExplorerView::setData);
  connect(views_.explorer, &ExplorerView::candidateSelected, views_.charts, &ChartPanel::pick);
  connect(views_.explorer, &ExplorerView::candidateChosen, views_.charts, &ChartPanel::candidateChosen);
  connect(views_.charts, &ChartPanel::pointed, views_.explorer, &ExplorerView::setPointed);
  connect(views_.explorer->map(), &Chart::pointed, views_.charts, &ChartPanel::setPointed);
  connect(views_.charts, &ChartPanel::marked, views_.explorer, &ExplorerView::setMarked);
  connect(views_.explorer->map(), &Chart::brushed, views_.charts, &ChartPanel::setMarked);
  connect(views_.explorer, &ExplorerView::sweepRequested, this, qOverload<>(&ExplorerFeature::sweep));
  connect(views_.explorer, &ExplorerView::dialogRequested, this, &ExplorerFeature::askForSweep);
  connect(views_.charts, &ChartPanel::candidateChosen, this, &ExplorerFeature::reconstructWithPlan);
  connect(views_.explorer, &ExplorerView::imagesRequested, this, &ExplorerFeature::makeImages);
  connect(&session_, &Session::profileStarted, this, [this] { profileIsOfScan_ = true; });
  connect(&session_, &Session::scanOpened, this, [this](const std::shared_ptr<const Scan>& scan) {
    for (QAction* action : {action_, dialogAction_}) action->setEnabled(scan != nullptr);
    forgetClick();
  });
  connect(&session_, &Session::resultReady, this, [this] {
    if (std::exchange(awaitsPlanImage_, false)) compareWithMostAccurate();
  });
}

bool ExplorerFeature::canMakeImages() {
  if (profileIsOfScan_) return true;
  Q_EMIT session_.failed({tr("Cannot make an image with this plan"), tr("it transforms points to points"),
                          tr("Sweep the scan first")});
  return false;
}

bool ExplorerFeature::canSweep() {
  if (views_.parameters->isValid()) return session_.needScan(tr("sweep"));
  Q_EMIT session_.failed(
      {tr("Cannot sweep"), views_.parameters->problem(), tr("Correct the parameter marked red")});
  views_.parameters->revealProblem();
  return false;
}

void ExplorerFeature::sweep() {
  if (!canSweep()) return;
  sweep({views_.parameters->options(), chartPolicy(views_.explorer->breadth()), true});
}

void ExplorerFeature::sweep(const SweepPlan& plan) {
  if (!session_.needScan(tr("sweep"))) return;
  const auto scan = session_.scan();
  std::vector<std::string> more = sweepScanArguments(plan);
  more.insert(more.end(), {"--csv", "sweep.csv"});
  const int job = session_.jobs().submit(
      JobKind::sweep, tr("Sweep %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, plan](const JobContext& context) -> JobQueue::Delivery {
        const auto known = [&session](const Workload& workload) {
          QMetaObject::invokeMethod(&session,
                                    [&session, workload] { Q_EMIT session.workloadKnown(workload); });
        };
        auto result = sweepScan(session.backends(), *scan, plan, context, known);
        return [this, result] { Q_EMIT session_.profileReady(result); };
      },
      session_.commandFor("sweep", plan.options, more));
  session_.profile(job, plan.options.nufft.accuracy);
}

void ExplorerFeature::askForSweep() {
  if (!canSweep()) return;
  auto* dialog = new SweepDialog(session_.backends(), session_.scan(), views_.parameters->options(),
                                 views_.explorer->breadth(), views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &SweepDialog::sweepRequested, this, qOverload<const SweepPlan&>(&ExplorerFeature::sweep));
  // The dialog's estimate holds for the open scan only.
  connect(&session_, &Session::scanOpened, dialog, &QDialog::close);
  dialog->open();
}

// Makes the plan's image, then the most accurate plan's, unless a result is near enough.
void ExplorerFeature::reconstructWithPlan(int candidate) {
  if (!canMakeImages()) return;
  views_.charts->setSelected(candidate);
  const ProfileData& data = views_.charts->data();
  const Candidate& plan = data.candidates[std::size_t(candidate)];
  const ReconOptions& panelOptions = views_.parameters->options();
  const ReconOptions options = optionsFor(panelOptions, plan);
  awaitsPlanImage_ = true;
  Q_EMIT planWanted(plan, options, planNote(panelOptions, plan, data.workload));
  const int best = mostAccurate(data);
  if (session_.isReferencePinned() || best < 0 || best == candidate) return;
  const Candidate& accurate = data.candidates[std::size_t(best)];
  for (const HistoryEntry& entry : session_.results().entries()) {
    const bool here = entry.source.lock() == session_.scan() && !isImported(*entry.result) &&
                      sameMethod(entry.result->options, options);
    if (here && errorOf(entry) <= maxErrorRatio * candidateError(accurate)) return;
  }
  reconstructAccurately(accurate, optionsFor(panelOptions, accurate));
}

void ExplorerFeature::makeImages(const std::vector<int>& plans) {
  if (!canMakeImages()) return;
  if (!session_.needScan(tr("reconstruct"))) return;
  const auto scan = session_.scan();
  struct Asked {
    Candidate plan;
    ReconOptions options;
    QString note;
  };
  std::vector<Asked> requests;
  QStringList commands;
  const ProfileData& data = views_.charts->data();
  const ReconOptions& panelOptions = views_.parameters->options();
  for (const int i : plans) {
    const Candidate& plan = data.candidates[std::size_t(i)];
    requests.push_back({plan, optionsFor(panelOptions, plan), planNote(panelOptions, plan, data.workload)});
    commands << planCommand(session_, requests.back().options, plan);
  }
  session_.jobs().submit(
      imagesJob, tr("Images of %1 marked plans").arg(requests.size()),
      [this, &session = session_, scan, requests](const JobContext& context) -> JobQueue::Delivery {
        std::vector<std::shared_ptr<const Reconstruction>> results;
        for (std::size_t i = 0; i < requests.size(); ++i)
          results.push_back(runPlan(session, *scan, requests[i].options, requests[i].plan, requests[i].note,
                                    context.progress.part(double(i) / double(requests.size()),
                                                          double(i + 1) / double(requests.size()))));
        return [this, scan, results] {
          for (const auto& result : results) session_.deliver(scan, result);
        };
      },
      commands.join(QLatin1Char('\n')));
}

double ExplorerFeature::errorOf(const HistoryEntry& entry) const {
  if (entry.result->options.exact) return 0;
  for (const Candidate& candidate : views_.charts->data().candidates)
    if (candidate.timed() && ranWith(*entry.result, candidate)) return candidateError(candidate);
  return entry.result->plan.error.relativeL2;
}

void ExplorerFeature::reconstructAccurately(const Candidate& plan, const ReconOptions& options) {
  if (!session_.needScan(tr("reconstruct"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      accurateJob, tr("Most accurate: %1").arg(planLabel(plan)),
      [this, &session = session_, scan, options, plan](const JobContext& context) -> JobQueue::Delivery {
        auto result = runPlan(session, *scan, options, plan, {}, context.progress);
        return [this, scan, result] { takeAccurate(session_.newEntry(scan, result)); };
      },
      planCommand(session_, options, plan));
}

void ExplorerFeature::takeAccurate(const HistoryEntry& entry) {
  session_.addResult(entry);
  if (!session_.shown()) return session_.show(entry.id);
  compareWithMostAccurate();
}

int ExplorerFeature::mostAccurateResult() const {
  const HistoryEntry *shown = session_.shown(), *best = nullptr;
  if (!shown) return 0;
  for (const HistoryEntry& entry : session_.results().entries()) {
    if (entry.id == shown->id || entry.scan != shown->scan || isImported(*entry.result) ||
        !sameMethod(entry.result->options, shown->result->options) ||
        !differenceObstacle(shown->result->image.get(), entry.result->image.get()).isEmpty())
      continue;
    if (!best || errorOf(entry) < errorOf(*best)) best = &entry;
  }
  return best ? best->id : 0;
}

void ExplorerFeature::compareWithMostAccurate() {
  if (!session_.isReferencePinned())
    if (const int id = mostAccurateResult(); id != 0) session_.setReference(id, false);
  Q_EMIT compareRequested();
}

}  // namespace spokelab
