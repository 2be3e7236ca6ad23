#include "app/gui/features/profile/charts_feature.h"

#include <QFileDialog>
#include <QMainWindow>

#include <utility>

#include "app/gui/session/plan_job.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr std::size_t minRunPlans = 2;  // fewer are no tuning and no sweep

}  // namespace

ChartsFeature::ChartsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(&session_, &Session::scanOpened, this, &ChartsFeature::forget);
  connect(&session_, &Session::profileStarted, this, &ChartsFeature::begin);
  connect(&session_, &Session::workloadKnown, this, &ChartsFeature::nameWorkload);
  connect(&session_, &Session::candidatesSeen, this, &ChartsFeature::addCandidates);
  connect(&session_, &Session::profileReady, this, &ChartsFeature::end);
  connect(&session_, &Session::resultReady, this,
          [this](const HistoryEntry& entry) { ofResult_[entry.id] = shown_; });
  connect(&session_, &Session::resultChosen, this, &ChartsFeature::showRunOf);
  connect(&session_, &Session::resultShown, this, &ChartsFeature::markShownPlan);
  connect(views_.charts, &ChartPanel::candidateSelected, views_.charts, &ChartPanel::setSelected);
  connect(views_.charts, &ChartPanel::runChosen, this, &ChartsFeature::showRun);
  connect(views_.charts, &ChartPanel::clearRequested, this, &ChartsFeature::clearRun);
  connect(views_.charts, &ChartPanel::exportRequested, this, &ChartsFeature::save);
}

// --- runs ----------------------------------------------------------------------------------------

void ChartsFeature::forget() {
  runs_.clear();
  ofResult_.clear();
  shown_ = 0;
  waits_ = false;
  views_.charts->clear(views_.parameters->options().nufft.accuracy);
  listRuns();
}

// A job that times one plan or none is no run: the charts stay.
void ChartsFeature::begin(double accuracy) {
  keepLive();
  waits_ = true;
  workload_.reset();
  first_.clear();
  firstAccuracy_ = accuracy;
  if (shown_ == 0) views_.charts->clear(accuracy);
}

void ChartsFeature::addCandidates(const std::vector<Candidate>& candidates) {
  if (!waits_) return views_.charts->addCandidates(candidates);
  first_.insert(first_.end(), candidates.begin(), candidates.end());
  if (first_.size() < minRunPlans) return;
  waits_ = false;
  runs_.push_back({++last_, firstAccuracy_, nullptr});
  shown_ = last_;
  views_.charts->clear(firstAccuracy_);
  if (workload_) views_.charts->setWorkload(*workload_);
  views_.charts->addCandidates(std::exchange(first_, {}));
  listRuns();
}

// Kept until the charts are those of this run.
void ChartsFeature::nameWorkload(const Workload& workload) {
  workload_ = workload;
  if (!waits_) views_.charts->setWorkload(workload);
}

void ChartsFeature::end(const TuneResult& result) {
  const bool whole = result.candidates.size() >= minRunPlans;
  if (whole || shown_ == 0) {
    if (waits_ || shown_ == 0) {
      runs_.push_back({++last_, firstAccuracy_, nullptr});
      shown_ = last_;
      views_.charts->clear(firstAccuracy_);
    }
    runs_.back().timed = std::make_shared<TuneResult>(result);
    views_.charts->setResult(result);
    // A result is delivered before what was timed for it.
    const HistoryEntry* shown = session_.shown();
    if (shown && shown->result->tuning.get() == &result) ofResult_[shown->id] = shown_;
    listRuns();
  }
  waits_ = false;
  markShownPlan();
}

// A run that was cancelled is kept as far as it came.
void ChartsFeature::keepLive() {
  if (runs_.empty() || runs_.back().timed) return;
  const ProfileData& data = views_.charts->data();
  auto timed = std::make_shared<TuneResult>();
  timed->candidates = data.candidates;
  timed->best = data.best;
  if (data.workload) timed->workload = *data.workload;
  runs_.back().timed = std::move(timed);
  listRuns();
}

const ChartsFeature::Run* ChartsFeature::find(int number) const {
  for (const Run& run : runs_)
    if (run.number == number) return &run;
  return nullptr;
}

void ChartsFeature::showRun(int number) {
  const Run* run = find(number);
  const bool live = !runs_.empty() && !runs_.back().timed;
  if (!run || !run->timed || live || number == shown_) return listRuns();
  shown_ = number;
  views_.charts->clear(run->accuracy);
  views_.charts->setResult(*run->timed);
  listRuns();
  markShownPlan();
}

void ChartsFeature::showRunOf(int result) {
  const auto run = ofResult_.find(result);
  if (run != ofResult_.end()) showRun(run->second);
}

void ChartsFeature::clearRun() {
  keepLive();
  const double accuracy = views_.charts->data().accuracy;
  std::erase_if(runs_, [this](const Run& run) { return run.number == shown_; });
  shown_ = 0;
  views_.charts->clear(accuracy);
  listRuns();
}

void ChartsFeature::listRuns() {
  std::vector<ChartPanel::Run> listed;
  for (const Run& run : runs_) {
    const QString plans = run.timed ? tr("%1 plans").arg(run.timed->candidates.size()) : tr("running");
    listed.push_back(
        {run.number, tr("Run %1: %2, ε %3").arg(run.number).arg(plans, errorLabel(run.accuracy))});
  }
  views_.charts->setRuns(listed, shown_);
}

void ChartsFeature::takeRestored() {
  const ProfileData& data = views_.charts->data();
  if (!data.candidates.empty()) {
    auto timed = std::make_shared<TuneResult>();
    timed->candidates = data.candidates;
    timed->best = data.best;
    timed->reason = data.reason.toStdString();
    if (data.workload) timed->workload = *data.workload;
    runs_ = {{++last_, data.accuracy, std::move(timed)}};
    shown_ = last_;
    for (const HistoryEntry& entry : session_.results().entries()) ofResult_[entry.id] = shown_;
    listRuns();
  }
  markShownPlan();
}

// --- the charts ----------------------------------------------------------------------------------

void ChartsFeature::markShownPlan() {
  const HistoryEntry* shown = session_.shown();
  if (!shown) return;
  const auto& candidates = views_.charts->data().candidates;
  for (int i = 0; i < int(candidates.size()); ++i)
    if (ranWith(*shown->result, candidates[std::size_t(i)])) return views_.charts->setSelected(i);
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
