#include "app/gui/features/profile/charts_feature.h"

#include <QFileDialog>
#include <QMainWindow>

#include <algorithm>
#include <utility>

#include "app/gui/session/plan_job.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/repeats.h"
#include "widgets/core/candidate_text.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/run_trace.h"
#include "widgets/profile/runs/run_list.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr std::size_t minRunPlans = 2;  // fewer plans do not count as a tuning or a sweep

}  // namespace

ChartsFeature::ChartsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(&session_, &Session::scanOpened, this, &ChartsFeature::takeScan);
  connect(&session_, &Session::profileStarted, this, &ChartsFeature::begin);
  connect(&session_, &Session::workloadKnown, this, &ChartsFeature::nameWorkload);
  connect(&session_, &Session::candidatesSeen, this, &ChartsFeature::addCandidates);
  connect(&session_, &Session::profileReady, this, &ChartsFeature::end);
  connect(&session_, &Session::resultReady, this, &ChartsFeature::takeResult);
  connect(&session_, &Session::resultChosen, this, &ChartsFeature::showRunOf);
  connect(&session_, &Session::resultShown, this, &ChartsFeature::markShownPlan);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &ChartsFeature::takeJob);
  connect(views_.charts, &ChartPanel::exportRequested, this, &ChartsFeature::save);
  connectRuns();
}

void ChartsFeature::connectRuns() {
  const RunList* list = views_.charts->runs();
  connect(list, &RunList::runChosen, this, &ChartsFeature::showRun);
  connect(list, &RunList::visibilityWanted, this, &ChartsFeature::setVisible);
  connect(list, &RunList::othersHidden, this, &ChartsFeature::hideOthers);
  connect(list, &RunList::pinWanted, this, &ChartsFeature::setPinned);
  connect(list, &RunList::renamed, this, &ChartsFeature::rename);
  connect(list, &RunList::deletionWanted, this, &ChartsFeature::erase);
}

//
// begin()          a job starts: startingRun_ is what its run will be. Two plans have to be timed
//                  while awaitsSecondPlan_ is true. keepsShownSweep_: a sweep stays drawn.
// addCandidates()  holds plans back in heldCandidates_ until there are two. Then the run is live.
// end()            the job is done: its run gets the result, and is drawn unless keepsShownSweep_.
//                  Both flags are cleared.
// takeJob()        the job was cancelled or failed: the live run keeps what was timed. Both flags
//                  are cleared.
// takeScan()       the same for another scan, whose newest run is drawn.

bool ChartsFeature::isLive() const {
  return live_ != 0;
}

// Another scan's runs stay in the session, and come back with it.
void ChartsFeature::takeScan() {
  endLive();
  awaitsSecondPlan_ = keepsShownSweep_ = false;
  const TimedRun* shown = find(chosen_);
  if (shown && isOfScan(*shown)) return refresh();
  draw(newestDrawn());
}

// A sweep of the open scan is drawn.
bool ChartsFeature::keepsSweep() const {
  const TimedRun* shown = find(chosen_);
  return shown && shown->kind == RunKind::sweep && shown->timed && isOfScan(*shown);
}

// A job that times fewer than two plans does not change the charts.
void ChartsFeature::begin(double accuracy) {
  endLive();
  awaitsSecondPlan_ = true;
  workload_.reset();
  heldCandidates_.clear();
  startingRun_ = {};
  startingRun_.kind = session_.jobs().busy(JobKind::reconstruct) && !session_.jobs().busy(JobKind::sweep)
                          ? RunKind::tuning
                          : RunKind::sweep;
  startingRun_.accuracy = accuracy;
  stampRun(startingRun_);
  keepsShownSweep_ = startingRun_.kind == RunKind::tuning && keepsSweep();
  if (chosen_ == 0) views_.charts->clear(accuracy);
}

TimedRun& ChartsFeature::add(TimedRun run) {
  run.number = nextNumber();
  if (const auto scan = session_.scan()) {
    run.scan = scan->name;
    run.fingerprint = scan->fingerprint;
  }
  runs_.push_back(std::move(run));
  nameApart(runs_.back());
  return runs_.back();
}

void ChartsFeature::addCandidates(const std::vector<Candidate>& candidates) {
  if (keepsShownSweep_) return;
  if (!awaitsSecondPlan_) return views_.charts->addCandidates(candidates);
  for (const Candidate& candidate : candidates) addOrRefine(heldCandidates_, candidate);
  if (heldCandidates_.size() < minRunPlans) return;
  awaitsSecondPlan_ = false;
  TimedRun& run = add(startingRun_);
  live_ = run.number;
  draw(&run);
  if (workload_) views_.charts->setWorkload(*workload_);
  views_.charts->addCandidates(std::exchange(heldCandidates_, {}));
}

// Kept until the charts show this run.
void ChartsFeature::nameWorkload(const Workload& workload) {
  workload_ = workload;
  if (awaitsSecondPlan_) return;
  views_.charts->setWorkload(workload);
  refresh();  // runs of other workloads leave
}

void ChartsFeature::end(const TuneResult& result) {
  const HistoryEntry* shown = session_.shown();
  const bool own = shown && shown->result->tuning.get() == &result;  // delivered just before
  const bool taken = own && result.candidates.size() < minRunPlans;  // by takeResult()
  if (!taken && !result.candidates.empty()) {
    TimedRun& run = isLive() ? *editable(live_) : add(startingRun_);
    live_ = 0;
    auto timed = std::make_shared<TuneResult>(result);
    placeConvolutions(*timed);
    run.timed = std::move(timed);
    run.seconds = own ? shown->result->seconds : result.seconds;
    if (own) {
      runsOfResults_[shown->id] = run.number;
      (keepsShownSweep_ ? *editable(chosen_) : run).results.push_back(shown->id);
    }
    run.visible = true;
    keepsShownSweep_ ? refresh() : draw(&run);
  }
  awaitsSecondPlan_ = keepsShownSweep_ = false;
  markShownPlan();
}

// Adds the run of a result whose plan was given. A result that chose among plans is a tuning, which
// end() adds next. While a sweep runs, end() is not told of tunings, and they are added here.
void ChartsFeature::takeResult(const HistoryEntry& entry) {
  const Reconstruction& result = *entry.result;
  const bool tuned = result.tuning && result.tuning->candidates.size() >= minRunPlans;
  if (isImported(result) || (tuned && !session_.jobs().busy(JobKind::sweep))) return;
  TimedRun run;
  stampRun(run);
  run.kind = tuned ? RunKind::tuning : RunKind::reconstruction;
  run.accuracy = result.options.nufft.accuracy;
  run.seconds = result.seconds;
  auto timed = std::make_shared<TuneResult>();
  if (result.tuning) *timed = *result.tuning;
  const bool untimed = std::none_of(timed->candidates.begin(), timed->candidates.end(),
                                    [](const Candidate& c) { return c.timed(); });
  if (untimed && entry.timed) *timed = *entry.timed;
  if (timed->candidates.empty()) timed->candidates = {planOf(result)};
  placeConvolutions(*timed);
  run.timed = std::move(timed);
  const bool drawn = chosen_ == 0 && run.plans() > 0;
  run.visible = run.plans() > 0;
  TimedRun& added = add(std::move(run));
  runsOfResults_[entry.id] = added.number;
  if (!tuned) {
    added.name = tr("Result %1").arg(entry.id).toStdString();
    nameApart(added);
  }
  // A result that is a point in the charts belongs to the run that they show.
  TimedRun& owner = drawn || tuned || chosen_ == 0 ? added : *editable(chosen_);
  owner.results.push_back(entry.id);
  if (drawn) return draw(&added);
  refresh();
  markShownPlan();  // the result's plan is a point now
}

// A run that was cancelled is kept as far as it came.
void ChartsFeature::endLive() {
  if (isLive()) editable(std::exchange(live_, 0))->timed = timedSoFar();
}

// A cancelled or failed sweep or tuning ends here; a finished one comes to end().
void ChartsFeature::takeJob(const JobState& state) {
  if (state.status != JobStatus::cancelled && state.status != JobStatus::failed) return;
  const TimedRun* run = find(live_);
  const bool isSweep = run ? run->kind == RunKind::sweep : startingRun_.kind == RunKind::sweep;
  if ((!run && !awaitsSecondPlan_) || session_.jobs().busy(isSweep ? JobKind::sweep : JobKind::reconstruct))
    return;
  endLive();
  awaitsSecondPlan_ = keepsShownSweep_ = false;
  refresh();
}

// The same object as long as the charts show the same.
std::shared_ptr<const TuneResult> ChartsFeature::timedSoFar() {
  if (!soFar_ || soFarGeneration_ != views_.charts->generation()) {
    const ProfileData& data = views_.charts->data();
    auto timed = std::make_shared<TuneResult>();
    timed->candidates = data.candidates;
    timed->best = data.best;
    timed->cancelled = true;
    if (data.workload) timed->workload = *data.workload;
    soFar_ = std::move(timed);
    soFarGeneration_ = views_.charts->generation();
  }
  return soFar_;
}

void ChartsFeature::markShownPlan() {
  if (session_.shown()) views_.charts->setSelected(candidateOfShown());
}

// The point that the result itself made; else the tuner's choice where it ran with that plan; else
// a plan of the same methods, and at last one of the same place.
int ChartsFeature::candidateOfShown() const {
  const HistoryEntry& shown = *session_.shown();
  const ProfileData& data = views_.charts->data();
  const auto made = runsOfResults_.find(shown.id);
  if (made != runsOfResults_.end() && data.firstOfResults >= 0) {
    const auto point = std::find(points_.begin(), points_.end(), made->second);
    if (point != points_.end()) return data.firstOfResults + int(point - points_.begin());
  }
  const auto ran = [&](int i) { return ranWith(*shown.result, data.candidates[std::size_t(i)]); };
  if (data.best >= 0 && data.best < int(data.candidates.size()) && ran(data.best)) return data.best;
  const NufftOptions& used = shown.result->plan.options;
  int place = -1;
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    if (!ran(i)) continue;
    const NufftOptions& plan = data.candidates[std::size_t(i)].options;
    if (plan.spread == used.spread && plan.interpolate == used.interpolate && plan.kernel == used.kernel)
      return i;
    if (place < 0) place = i;
  }
  return place;
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
