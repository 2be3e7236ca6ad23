#include "app/gui/features/recon/effort_feature.h"

#include "engine/recon/run/tune_scan.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr int msUntilSettled = 150;
constexpr const char* effortOption = "effort";

// The estimate for the reconstruction's search; empty if it does not search.
std::optional<TuneEstimate> estimateOf(const std::vector<Backend*>& backends, const Scan& scan,
                                       const ReconOptions& options, Wisdom* wisdom,
                                       const Progress& progress) {
  const std::vector<Backend*> chosen = backendsFor(backends, options.backend, options.devices);
  const JobPlan job = planJob(scan, options);
  if (options.exact || (chosen.size() == 1 && job.planIsGiven)) return std::nullopt;
  const ScanProblem problem = scanProblem(scan, job);
  return estimateTuneOfScan(chosen, scan, job, tuneRequest(problem, options), wisdom, progress);
}

}  // namespace

EffortFeature::EffortFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  settled_.setSingleShot(true);
  settled_.setInterval(msUntilSettled);
  connect(&settled_, &QTimer::timeout, this, &EffortFeature::update);
  const auto later = [this] { settled_.start(); };
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, later);
  connect(&session_, &Session::scanOpened, this, later);
  connect(&session_, &Session::resultShown, this, later);  // its search may be remembered
}

void EffortFeature::update() {
  job_.drop();
  const ReconOptions options = views_.parameters->options();
  const std::shared_ptr<const Scan> scan = session_.scan();
  if (!scan || options.effort != TuneEffort::exhaustive) {
    views_.parameters->setNote(effortOption, {});
    return;
  }
  job_.start(
      [backends = session_.backends(), scan, options, wisdom = session_.wisdom()](std::stop_token stop) {
        return estimateOf(backends, *scan, options, wisdom, Progress(std::move(stop)));
      },
      [this](const std::optional<TuneEstimate>& estimate) {
        views_.parameters->setNote(
            effortOption, estimate ? tr("To time: %1").arg(QString::fromStdString(estimateText(*estimate)))
                                   : tr("Nothing to time: the parameters leave no choice"));
      },
      [this](const QString&) { views_.parameters->setNote(effortOption, {}); });  // Reconstruct says why
}

}  // namespace spokelab
