#include "app/gui/features/recon/noise_feature.h"

#include <QAction>

#include "engine/recon/explore/noise_maps.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/reconstruct.h"
#include "widgets/recon/noise_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind noiseJob{.name = "noise"};

}  // namespace

NoiseFeature::NoiseFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new NoiseView) {
  addTab(views_, "noise", tr("Noise"), view_);
  action_ = makeAction(this, tr("Map the &noise"), "action-noise", {},
                       tr("Noise, SNR and g-factor of each pixel by pseudo-replicas"));
  const auto mapNow = [this] { map(views_.parameters->options(), view_->replicas()); };
  connect(action_, &QAction::triggered, this, mapNow);
  connect(view_, &NoiseView::mapsRequested, this, mapNow);
  connect(view_, &NoiseView::overRequested, this, &NoiseFeature::overRequested);
  connect(&session_, &Session::scanOpened, this, [this] {
    maps_ = nullptr;
    view_->setMaps(nullptr);
  });
  connect(&session_.jobs(), &JobQueue::jobChanged, view_,
          [this] { view_->setBusy(session_.jobs().busy(noiseJob)); });
}

void NoiseFeature::map(const ReconOptions& options, int replicas) {
  if (!session_.needScan(tr("map its noise"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      noiseJob, tr("Noise of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options, replicas](const JobContext& context) -> JobQueue::Delivery {
        NoiseMapOptions noise;
        noise.replicas = replicas;
        auto maps = std::make_shared<const NoiseMaps>(noiseMaps(
            *scan, options, noise,
            [&session](const Scan& some, const ReconOptions& o, const Progress& progress) {
              return reconstruct(session.backends(), some, o, session.wisdom(), progress);
            },
            context.progress));
        if (maps->cancelled) throw Cancelled{};
        const ReconOptions resolved = planJob(*scan, options).options;  // as results have them
        return [this, maps, scan, resolved] {
          if (scan != session_.scan()) return;
          maps_ = maps;
          scan_ = scan;
          options_ = resolved;
          view_->setMaps(maps);
          bringUp(view_);
          Q_EMIT mapped();
        };
      },
      session_.commandFor("noise", options, {"--replicas", std::to_string(replicas)}));
}

std::shared_ptr<const NoiseMaps> NoiseFeature::mapsOf(const Scan& scan, const ReconOptions& options) const {
  if (!maps_ || scan_.lock().get() != &scan) return nullptr;
  for (const OptionSpec& spec : reconOptionTable())
    if (optionValue(options_, spec.name) != optionValue(options, spec.name)) return nullptr;
  return maps_;
}

}  // namespace spokelab
