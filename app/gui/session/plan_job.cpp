#include "app/gui/session/plan_job.h"

#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "widgets/core/number_text.h"

namespace spokelab {

std::shared_ptr<const Reconstruction> runPlan(const Session& session, const Scan& scan,
                                              const ReconOptions& options, const Candidate& plan,
                                              const Progress& progress) {
  Backend* chosen = nullptr;
  for (Backend* backend : session.backends())
    if (backend->name() == plan.backend) chosen = backend;
  if (!chosen)
    throw Error("Cannot use this plan", "its backend " + plan.backend + " is not available", "Sweep again");
  auto result = std::make_shared<const Reconstruction>(
      chosen->reconstruct(scan, options, &plan, session.wisdom(), progress));
  if (result->cancelled || !result->image) throw Cancelled{};
  return result;
}

QString planLabel(const Candidate& plan) {
  return Session::tr("α %1, W %2")
      .arg(numberLabel(plan.options.alpha, 3), numberLabel(plan.options.width, 2));
}

QString planCommand(const Session& session, ReconOptions options, const Candidate& plan) {
  options.backend = plan.backend;
  options.nufft = plan.options;
  return session.commandFor("reconstruct", options, {"-o", "image.nii.gz"});
}

}  // namespace spokelab
