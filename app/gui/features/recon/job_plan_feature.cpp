#include "app/gui/features/recon/job_plan_feature.h"

#include "engine/recon/model/job_model.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/kept_of_scan.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_view.h"

namespace spokelab {
namespace {

constexpr int msUntilPlanned = 150;

}  // namespace

JobPlanFeature::JobPlanFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  settled_.setSingleShot(true);
  settled_.setInterval(msUntilPlanned);
  connect(&settled_, &QTimer::timeout, this, &JobPlanFeature::update);
  const auto later = [this] { settled_.start(); };
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, later);
  connect(&session_, &Session::resultShown, this, later);
  connect(&session_, &Session::scanOpened, this, [this, later](const std::shared_ptr<const Scan>& scan) {
    job_.drop();
    views_.plan->setJob({});
    if (scan) later();
  });
}

void JobPlanFeature::update() {
  job_.drop();
  const std::shared_ptr<const Scan> scan = session_.scan();
  if (!scan) return views_.plan->setJob({});
  job_.start(
      [backends = session_.backends(), scan, options = views_.parameters->options(),
       wisdom = session_.wisdom()](std::stop_token) {
        const JobPlan plan = planReconstruction(backends, *scan, options);
        auto rows = planRows(plan);
        if (const std::vector<KeptItem> kept = keptBefore(*scan, plan, wisdom); !kept.empty())
          rows.emplace_back("kept", keptItemsText(kept));
        return rows;
      },
      [this](const std::vector<std::pair<std::string, std::string>>& rows) { views_.plan->setJob(rows); },
      [this](const QString&) { views_.plan->setJob({}); });  // Reconstruct says why
}

}  // namespace spokelab
