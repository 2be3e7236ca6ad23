#include "app/gui/features/profile/charts_feature.h"

#include <QFileDialog>
#include <QMainWindow>

#include <cmath>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr double maxPlanDifference = 1e-6;  // α and W closer than this are one plan

}  // namespace

ChartsFeature::ChartsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(&session_, &Session::scanOpened, this,
          [this] { views_.charts->clear(views_.parameters->options().nufft.accuracy); });
  connect(&session_, &Session::profileStarted, views_.charts,
          [this](double accuracy) { views_.charts->clear(accuracy); });
  connect(&session_, &Session::candidatesSeen, views_.charts, &ChartPanel::addCandidates);
  connect(&session_, &Session::profileReady, this, [this](const TuneResult& result) {
    views_.charts->setResult(result);
    markShownPlan();
  });
  connect(&session_, &Session::resultShown, this, &ChartsFeature::markShownPlan);
  connect(views_.charts, &ChartPanel::candidateSelected, views_.charts, &ChartPanel::setSelected);
  connect(views_.charts, &ChartPanel::exportRequested, this, &ChartsFeature::save);
}

void ChartsFeature::markShownPlan() {
  const HistoryEntry* shown = session_.shown();
  if (!shown) return;
  const auto& candidates = views_.charts->data().candidates;
  const PlanInfo& plan = shown->result->plan;
  for (int i = 0; i < int(candidates.size()); ++i) {
    const Candidate& candidate = candidates[std::size_t(i)];
    if (candidate.backend == plan.backend &&
        std::abs(candidate.options.alpha - plan.options.alpha) < maxPlanDifference &&
        std::abs(candidate.options.width - plan.options.width) < maxPlanDifference) {
      views_.charts->setSelected(i);
      return;
    }
  }
  views_.charts->setSelected(-1);
}

void ChartsFeature::save(ChartKind kind, ChartFormat format) {
  auto* dialog =
      dialogToSave(views_.window, tr("Save the chart"), "", chartFileName(kind),
                   QStringLiteral("%1 (*.%2)").arg(chartSuffix(format).toUpper(), chartSuffix(format)),
                   chartSuffix(format));
  connect(dialog, &QFileDialog::fileSelected, this, [this, kind, format](const QString& file) {
    try {
      const QByteArray content = renderChart(views_.charts->data(), kind, format);
      writeFileAtomically(file.toStdString(), std::string_view(content.data(), std::size_t(content.size())));
      Q_EMIT session_.saved(file);
    } catch (const Error& error) {
      Q_EMIT session_.failed(failureOf(error));
    }
  });
  dialog->open();
}

}  // namespace spokelab
