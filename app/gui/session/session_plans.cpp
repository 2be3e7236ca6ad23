// Jobs on plans that the charts know: a point's image, the most accurate image, a sweep.
#include "app/gui/session/session.h"
#include "app/gui/session/sweep_plan.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "widgets/profile/explorer/quantities.h"

namespace spokelab {
namespace {

// The options of a reconstruction with this very plan.
ReconOptions with(ReconOptions options, const Candidate& plan) {
  options.backend = plan.backend;
  options.nufft = plan.options;
  return options;
}

QString pairText(const Candidate& plan) {
  return Session::tr("α %1, W %2")
      .arg(numberLabel(plan.options.alpha, 3), numberLabel(plan.options.width, 2));
}

}  // namespace

std::shared_ptr<const Reconstruction> Session::runPlan(const Scan& scan, const ReconOptions& options,
                                                       const Candidate& plan, const Progress& progress) {
  Backend* chosen = nullptr;
  for (Backend* backend : backends_)
    if (backend->name() == plan.backend) chosen = backend;
  if (!chosen) {
    throw Error("Cannot use this plan", "its backend " + plan.backend + " is not available", "Sweep again");
  }
  auto result = std::make_shared<const Reconstruction>(
      chosen->reconstruct(scan, options, &plan, wisdom_.get(), progress));
  if (result->cancelled || !result->image) throw Cancelled{};
  return result;
}

void Session::reconstructWith(const Candidate& candidate, const ReconOptions& options) {
  if (!needScan(tr("reconstruct"))) return;
  const auto scan = scan_;
  jobs_.submit(
      JobKind::select, pairText(candidate),
      [this, scan, options, candidate](const JobContext& context) -> JobQueue::Delivery {
        auto result = runPlan(*scan, options, candidate, context.progress);
        return [this, scan, result] { deliver(scan, result); };
      },
      commandFor("reconstruct", with(options, candidate), {"-o", "image.nii.gz"}));
}

void Session::reconstructAccurately(const Candidate& candidate, const ReconOptions& options) {
  if (!needScan(tr("reconstruct"))) return;
  const auto scan = scan_;
  jobs_.submit(
      JobKind::accurate, tr("Most accurate: %1").arg(pairText(candidate)),
      [this, scan, options, candidate](const JobContext& context) -> JobQueue::Delivery {
        auto result = runPlan(*scan, options, candidate, context.progress);
        return [this, scan, result] {
          Q_EMIT accurateReady({++results_, QString::fromStdString(scan->name), result, scan});
        };
      },
      commandFor("reconstruct", with(options, candidate), {"-o", "image.nii.gz"}));
}

void Session::sweep(const ReconOptions& options, const SweepBreadth& breadth) {
  if (!needScan(tr("sweep"))) return;
  const auto scan = scan_;
  std::vector<std::string> more = {"--csv", "sweep.csv"};
  if (const std::string over = breadthText(breadth); !over.empty()) more.insert(more.end(), {"--over", over});
  profiling_ = jobs_.submit(
      JobKind::sweep, tr("Sweep %1").arg(QString::fromStdString(scan->name)),
      [this, scan, options, breadth](const JobContext& context) -> JobQueue::Delivery {
        auto result = sweepScan(backends_, *scan, options, breadth, context);
        return [this, result] { Q_EMIT profileReady(result); };
      },
      commandFor("sweep", options, more));
  Q_EMIT profileStarted(options.nufft.accuracy);
}

}  // namespace spokelab
