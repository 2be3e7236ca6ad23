#include "app/gui/features/scan/raw_feature.h"

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/raw/raw_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {

RawFeature::RawFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new RawView) {
  addTab(views_, "data", tr("Data"), view_);
  connect(&session_, &Session::scanOpened, this, [this](const std::shared_ptr<const Scan>& scan) {
    view_->setScan(scan);
    showSelection();
  });
  connect(views_.trajectory, &TrajectoryView::sampleLookedAt, view_, &RawView::lookAt);
  connect(view_, &RawView::placed, this, &RawFeature::showInTrajectory);
  connect(view_, &RawView::shotToggled, this,
          [this](qint64 shot) { views_.trajectory->toggleShot(int(shot)); });
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &RawFeature::showSelection);
}

// Frames may have different trajectories, and the trajectory view shows one of them.
void RawFeature::showInTrajectory(int frame, qint64 shot, qint64 sample) {
  const auto scan = session_.scan();
  const auto& shown = views_.trajectory->trajectory();
  if (!scan || !shown || shown.get() != &scan->trajectory(frame)) return views_.trajectory->lookAt(-1);
  const auto& offsets = shown->shotOffsets;
  const std::int64_t first = offsets[std::size_t(shot)], last = offsets[std::size_t(shot) + 1] - 1;
  views_.trajectory->lookAt(last < first ? -1 : std::min<std::int64_t>(first + sample, last));
}

void RawFeature::showSelection() {
  const auto scan = session_.scan();
  const std::string shots = views_.parameters->options().shots;
  if (!scan) return;
  try {
    view_->setSelectedShots(shots.empty() ? std::vector<int>()
                                          : selection(shots, int(scan->trajectory(0).shots()), "shots"));
  } catch (const Error&) {
    view_->setSelectedShots({});  // of another scan; SelectionFeature tells why
  }
}

}  // namespace spokelab
