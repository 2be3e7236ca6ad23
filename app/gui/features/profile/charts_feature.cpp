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

constexpr std::size_t minRunPlans = 2;   // fewer plans do not count as a tuning or a sweep
constexpr std::size_t maxAdopted = 200;  // of the last session's runs, beside pinned ones

// The run of this number, or null.
template <class Runs>
auto numbered(Runs& runs, int number) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const TimedRun& run) { return run.number == number; });
  return found == runs.end() ? nullptr : &*found;
}

int nextNumber(const std::vector<TimedRun>& runs) {
  return runs.empty() ? 1 : runs.back().number + 1;
}

// The newest drawn run that `belongs` accepts, or null.
template <class Belongs>
const TimedRun* newestDrawn(const std::vector<TimedRun>& runs, const Belongs& belongs) {
  const auto found = std::find_if(runs.rbegin(), runs.rend(),
                                  [&](const TimedRun& run) { return run.visible && belongs(run); });
  return found == runs.rend() ? nullptr : &*found;
}

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
  connect(views_.charts, &ChartPanel::candidateSelected, views_.charts, &ChartPanel::setSelected);
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

// --- a run from its beginning to its end ---------------------------------------------------------

bool ChartsFeature::isLive() const {
  return live_ != 0;
}

// Another scan's runs stay in the session, and come back with it.
void ChartsFeature::takeScan() {
  endLive();
  waits_ = false;
  const TimedRun* shown = find(chosen_);
  if (shown && isOfScan(*shown)) return refresh();
  draw(newestDrawn(runs_, [this](const TimedRun& run) { return isOfScan(run); }));
}

// A job that times fewer than two plans does not change the charts.
void ChartsFeature::begin(double accuracy) {
  endLive();
  waits_ = true;
  workload_.reset();
  first_.clear();
  next_ = {};
  next_.kind = session_.jobs().busy(JobKind::reconstruct) && !session_.jobs().busy(JobKind::sweep)
                   ? RunKind::tuning
                   : RunKind::sweep;
  next_.accuracy = accuracy;
  stampRun(next_);
  if (chosen_ == 0) views_.charts->clear(accuracy);
}

TimedRun& ChartsFeature::add(TimedRun run) {
  run.number = nextNumber(runs_);
  if (const auto scan = session_.scan()) {
    run.scan = scan->name;
    run.fingerprint = scan->fingerprint;
  }
  runs_.push_back(std::move(run));
  return runs_.back();
}

void ChartsFeature::addCandidates(const std::vector<Candidate>& candidates) {
  if (!waits_) return views_.charts->addCandidates(candidates);
  for (const Candidate& candidate : candidates) addOrRefine(first_, candidate);
  if (first_.size() < minRunPlans) return;
  waits_ = false;
  TimedRun& run = add(next_);
  live_ = run.number;
  draw(&run);
  if (workload_) views_.charts->setWorkload(*workload_);
  views_.charts->addCandidates(std::exchange(first_, {}));
}

// Kept until the charts show this run.
void ChartsFeature::nameWorkload(const Workload& workload) {
  workload_ = workload;
  if (!waits_) views_.charts->setWorkload(workload);
}

void ChartsFeature::end(const TuneResult& result) {
  const HistoryEntry* shown = session_.shown();
  const bool own = shown && shown->result->tuning.get() == &result;  // delivered just before
  const bool taken = own && result.candidates.size() < minRunPlans;  // by takeResult()
  if (!taken && !result.candidates.empty()) {
    TimedRun& run = isLive() ? *editable(live_) : add(next_);
    live_ = 0;
    run.timed = own ? shown->result->tuning : std::make_shared<const TuneResult>(result);
    run.seconds = own ? shown->result->seconds : result.seconds;
    if (own) run.results.push_back(shown->id);
    draw(&run);
  }
  waits_ = false;
  markShownPlan();
}

// A reconstruction that chose among plans is a tuning; end() is told next, but while a sweep keeps
// the charts. One whose plan was given is a run of that plan.
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
  if (timed->candidates.empty()) timed->candidates = {planOf(result)};
  run.timed = std::move(timed);
  const bool drawn = chosen_ == 0 && run.plans() > 0;
  TimedRun& added = add(std::move(run));
  if (!tuned) added.name = tr("Result %1").arg(entry.id).toStdString();
  (drawn || tuned || chosen_ == 0 ? &added : editable(chosen_))->results.push_back(entry.id);
  if (drawn) return draw(&added);
  refresh();
}

// A run that was cancelled is kept as far as it came.
void ChartsFeature::endLive() {
  if (isLive()) editable(std::exchange(live_, 0))->timed = timedSoFar();
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

// --- the list ------------------------------------------------------------------------------------

std::vector<TimedRun> ChartsFeature::runs() {
  std::vector<TimedRun> all = runs_;
  for (TimedRun& run : all)
    if (!run.timed) run.timed = timedSoFar();
  return all;
}

const TimedRun* ChartsFeature::find(int number) const {
  return numbered(runs_, number);
}

TimedRun* ChartsFeature::editable(int number) {
  return numbered(runs_, number);
}

bool ChartsFeature::isOfScan(const TimedRun& run) const {
  const auto scan = session_.scan();
  return !scan || run.isOf(scan->name, scan->fingerprint);
}

void ChartsFeature::restore(const std::vector<TimedRun>& runs, int chosen) {
  runs_ = runs;
  traces_.clear();
  live_ = 0;
  waits_ = false;
  draw(find(chosen));
}

// Their results are not in this session. Without a bound the list would grow with every start.
void ChartsFeature::adopt(const std::vector<TimedRun>& runs, int chosen) {
  int wanted = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].pinned && i + maxAdopted < runs.size()) continue;
    TimedRun run = runs[i];
    run.number = nextNumber(runs_);
    run.results.clear();
    if (runs[i].number == chosen) wanted = run.number;
    runs_.push_back(std::move(run));
  }
  const TimedRun* shown = find(wanted);
  if (chosen_ == 0 && shown && isOfScan(*shown)) return draw(shown);
  refresh();
}

void ChartsFeature::showRun(int number) {
  const TimedRun* run = find(number);
  if (!run || !run->timed || isLive() || run->plans() == 0 || number == chosen_) return refresh();
  draw(run);
}

void ChartsFeature::showRunOf(int result) {
  for (const TimedRun& run : runs_)
    if (std::find(run.results.begin(), run.results.end(), result) != run.results.end())
      return showRun(run.number);
}

// The charts are of this run from now on; null: of none.
void ChartsFeature::draw(const TimedRun* run) {
  TimedRun* before = editable(chosen_);
  if (before && before != run && before->kind != RunKind::sweep && !before->pinned) before->visible = false;
  chosen_ = run ? run->number : 0;
  if (TimedRun* now = editable(chosen_)) now->visible = true;
  views_.charts->clear(run ? run->accuracy : views_.parameters->options().nufft.accuracy);
  if (run && run->timed) views_.charts->setResult(*run->timed);
  refresh();
  markShownPlan();
}

// Hiding the run that the charts are of leaves them to the newest that is drawn.
void ChartsFeature::setVisible(int number, bool visible) {
  TimedRun* run = editable(number);
  if (!run || !run->timed) return refresh();
  run->visible = visible;
  if (visible && chosen_ == 0) return draw(run);
  if (visible || number != chosen_) return refresh();
  draw(newestDrawn(runs_, [this](const TimedRun& r) { return isOfScan(r); }));
  if (TimedRun* hidden = editable(number)) hidden->visible = false;
  refresh();
}

void ChartsFeature::hideOthers(int number) {
  for (TimedRun& run : runs_)
    if (run.timed && isOfScan(run)) run.visible = run.number == number;
  showRun(number);
}

void ChartsFeature::setPinned(int number, bool pinned) {
  if (TimedRun* run = editable(number)) {
    run->pinned = pinned;
    run->visible |= pinned && run->timed && run->plans() > 0;
  }
  refresh();
}

void ChartsFeature::rename(int number, const QString& name) {
  if (TimedRun* run = editable(number)) run->name = name.trimmed().toStdString();
  traces_.erase(number);
  refresh();
}

// The run that is being timed cannot be deleted, only cancelled.
void ChartsFeature::erase(const std::vector<int>& numbers) {
  const auto named = [&](int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  if (named(chosen_)) setVisible(chosen_, false);
  std::erase_if(runs_, [&](const TimedRun& run) { return run.timed && named(run.number); });
  refresh();
}

// The list, and the runs that are drawn behind the charts' own.
void ChartsFeature::refresh() {
  std::vector<TimedRun> listed;
  std::vector<std::shared_ptr<const RunTrace>> traces;
  for (const TimedRun& run : runs_) {
    if (!isOfScan(run)) continue;
    listed.push_back(run);
    if (!run.visible || !run.timed || run.number == chosen_) continue;
    auto& trace = traces_[run.number];
    if (!trace)
      trace = std::make_shared<const RunTrace>(
          traceOf(run.number, QString::fromStdString(run.title()), *run.timed, run.accuracy));
    traces.push_back(trace);
  }
  views_.charts->setTraces(std::move(traces));
  views_.charts->runs()->setRuns(listed, chosen_);
  views_.charts->runs()->setVisible(!listed.empty());
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
