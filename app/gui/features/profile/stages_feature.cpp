#include "app/gui/features/profile/stages_feature.h"

#include <QVBoxLayout>

#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/job_bar.h"
#include "widgets/profile/stage_view.h"

namespace spokelab {
namespace {

constexpr JobKind ceilingJob{.name = "ceiling"};

}  // namespace

StagesFeature::StagesFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), job_(new JobBar), view_(new StageView) {
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(job_);
  column->addWidget(view_, 1);
  addTab(views_, "stages", tr("Stages"), both);
  view_->setTimings({}, {}, {});
  connect(&session_, &Session::resultShown, this, &StagesFeature::showResult);
  connect(views_.charts, &ChartPanel::candidateSelected, this, &StagesFeature::showCandidate);
  connect(&session_, &Session::nothingShown, view_, [this] {
    job_->setAccount({});
    view_->setEnergy({});
    view_->setTimings({}, {}, {});
  });
  connect(view_, &StageView::ceilingRequested, this, &StagesFeature::measureCeiling);
  connect(&session_.jobs(), &JobQueue::jobChanged, view_,
          [this] { view_->setBusy(session_.jobs().busy(ceilingJob)); });
  connect(this, &StagesFeature::ceilingMeasured, this, &StagesFeature::showCeiling);
}

void StagesFeature::showResult(int id) {
  const Reconstruction& result = *session_.results().find(id)->result;
  job_->setAccount(result.account, result.forecast);
  const QString title = isImported(result) || product(result.plan.grid) <= 1
                            ? QString::fromStdString(result.plan.description)
                            : candidateTitle(planOf(result));
  const bool iterates = !result.iterations.empty();
  const QString rest = !iterates                        ? QString()
                       : result.timings.accounted() > 0 ? tr("Rest of the iterations")
                                                        : tr("Iterations");
  const QString energy = QString::fromStdString(energyText(result.energy));
  view_->setEnergy(energy.isEmpty() ? QString() : tr("Energy meanwhile: %1").arg(energy));
  view_->setTimings(
      (iterates ? tr("Result %1, all its iterations: %2") : tr("Result %1, all its transforms: %2"))
          .arg(id)
          .arg(title),
      QString::fromStdString(result.plan.backend), result.timings, rest);
  const MeanIteration mean = meanIteration(result.iterations);
  std::vector<std::pair<QString, double>> parts;
  for (const IterationPart part : {IterationPart::exactSums, IterationPart::maps, IterationPart::regularizer})
    if (mean.parts[part] > 0)
      parts.emplace_back(QString::fromUtf8(iterationPartNames[std::size_t(part)]),
                         double(mean.count) * mean.parts[part]);
  view_->setPartsOfRest(parts);
}

void StagesFeature::showCandidate(int index) {
  view_->setEnergy({});
  job_->setAccount({});  // one run of a plan does not have a job's account
  const Candidate& plan = views_.charts->data().candidates[std::size_t(index)];
  view_->setTimings(tr("One run, the median of %1: %2").arg(plan.repeats).arg(candidateTitle(plan)),
                    QString::fromStdString(plan.backend), plan.timings);
}

void StagesFeature::measureCeiling(const QString& backend) {
  session_.jobs().submit(
      ceilingJob, tr("Memory bandwidth"),
      [this, &session = session_, backend](const JobContext& context) -> JobQueue::Delivery {
        const Backend* const named = backendNamed(session.backends(), backend.toStdString());
        const MemoryCeiling ceiling =
            (named ? *named : *session.backends().front()).memoryCeiling(context.progress);
        return [this, backend, ceiling] { Q_EMIT ceilingMeasured(backend, ceiling); };
      });
}

void StagesFeature::showCeiling(const QString& backend, const MemoryCeiling& ceiling) {
  const QString where =
      ceiling.threads > 0 ? tr("copy on %1 threads").arg(ceiling.threads) : tr("copy on the device");
  views_.charts->setCeiling(backend.toStdString(), ceiling.bytesPerSecond);
  view_->setCeiling(
      backend, ceiling.bytesPerSecond,
      tr("%1, median of %2, spread %3").arg(where).arg(ceiling.repeats).arg(percentLabel(ceiling.spread)));
}

}  // namespace spokelab
