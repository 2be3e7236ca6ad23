#include "app/gui/features/profile/place_feature.h"

#include "engine/core/stage_timer.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/profile/results/results.h"
#include "engine/recon/run/scan_problem.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {

struct PlaceFeature::Prepared {
  std::string key;
  std::shared_ptr<const Scan> scan;
  ScanProblem problem;
  TuneRequest request;  // of `problem`
  Backend* backend = nullptr;
  bool hasField = false;
};

namespace {

// All that the problem and its workload depend on.
std::string keyOf(const Scan* scan, ReconOptions options) {
  options.nufft.alpha = options.nufft.width = 0;
  setAccuracy(options, NufftOptions().accuracy);
  std::string key = std::to_string(std::uintptr_t(scan));
  for (const auto& [name, value] : optionValues(options)) key += '\n' + name + '=' + value;
  return key;
}

}  // namespace

PlaceFeature::PlaceFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &PlaceFeature::follow);
  connect(&session_, &Session::scanOpened, this, &PlaceFeature::follow);
  connect(&session_, &Session::resultShown, this, &PlaceFeature::follow);
}

PlaceFeature::~PlaceFeature() = default;

void PlaceFeature::show(const std::optional<PlanPlace>& place) {
  place_ = place;
  views_.charts->setPlace(place);
  views_.explorer->map()->setPlace(place);
}

// Values that the parameters leave to the tuner come from the shown result.
void PlaceFeature::follow() {
  const ReconOptions& options = views_.parameters->options();
  if (!session_.scan() || options.exact) {
    preparation_.drop();
    prediction_.drop();
    preparing_.clear();
    return show({});
  }
  PlanPlace next = place_.value_or(PlanPlace());
  next.accuracy = options.nufft.accuracy;
  if (options.nufft.alpha > 0) next.alpha = options.nufft.alpha;
  if (options.nufft.width > 0) next.width = options.nufft.width;
  const HistoryEntry* shown = session_.shown();
  if (shown && shown->source.lock() == session_.scan() && !isImported(*shown->result)) {
    const NufftOptions& settled = shown->result->plan.options;
    if (options.nufft.alpha == 0) next.alpha = settled.alpha;
    if (options.nufft.width == 0 && settled.alpha == next.alpha) next.width = settled.width;
  }
  changed_ = now();
  show(next);
  if (next.alpha == 0) return;  // nothing has been tuned yet
  const std::string key = keyOf(session_.scan().get(), options);
  if (prepared_ && prepared_->key == key) return predict(options);
  if (preparing_ != key) prepare(options, key);
}

void PlaceFeature::prepare(const ReconOptions& options, const std::string& key) {
  preparing_ = key;
  preparation_.start(
      [scan = session_.scan(), options, key, backends = session_.backends()](std::stop_token) {
        auto prepared = std::make_shared<Prepared>();
        prepared->key = key;
        prepared->scan = scan;
        const JobPlan job = planJob(*scan, options);
        prepared->problem = scanProblem(*scan, job);
        prepared->request = tuneRequest(prepared->problem, options);
        prepared->hasField = prepared->request.workload.direction == Direction::normal && job.mayHaveField;
        prepared->backend = backendsFor(backends, options.backend, options.devices).front();
        return std::shared_ptr<const Prepared>(prepared);
      },
      [this](const std::shared_ptr<const Prepared>& prepared) {
        prepared_ = prepared;
        preparing_.clear();
        follow();
      },
      [this](const QString&) { preparing_.clear(); });  // the job itself says what is wrong
}

void PlaceFeature::predict(const ReconOptions& options) {
  prediction_.start(
      [prepared = prepared_, place = *place_, options](std::stop_token) {
        TuneRequest request = prepared->request;
        request.points = prepared->problem.points;
        request.options.accuracy = options.nufft.accuracy;
        request.options.kernel = resolvedKernel(request.options.kernel);
        if (request.workload.direction == Direction::normal &&
            request.options.normal == NormalMethod::automatic)
          request.options.normal = NormalMethod::gridded;
        PlanPlace predicted = place;
        if (options.nufft.width == 0)
          if (const double width = smallestWidth(request.problem, request.options.kernel, place.alpha,
                                                 transformAccuracy(request.options));
              width > 0)
            predicted.width = width;
        predicted.seconds = predicted.error = 0;
        // Ways through a field have other costs, which no grid predicts.
        if (!(predicted.width > 0) || prepared->hasField) return predicted;
        const auto methods = prepared->backend->spreadMethods(request.problem, request.options);
        const auto back = prepared->backend->interpolateMethods(request.problem, request.options);
        if (methods.empty() || back.empty()) return predicted;
        const Candidate plan = makeCandidate(*prepared->backend, request, predicted.alpha, predicted.width,
                                             methods.front(), back.front());
        if (!plan.refused.empty()) return predicted;
        predicted.seconds = plan.predictedSeconds;
        predicted.error = plan.predictedError();
        return predicted;
      },
      [this](const PlanPlace& found) {
        show(found);
        Q_EMIT predicted(1e3 * (now() - changed_));
      });
}

}  // namespace spokelab
