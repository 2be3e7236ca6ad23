// The list of runs: which are drawn, named, pinned, deleted.
#include "app/gui/features/profile/charts_feature.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/nufft/tune/sweep/candidate_path.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/run_trace.h"
#include "widgets/profile/runs/run_list.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr std::size_t maxAdopted = 200;  // of the last session's runs, beside pinned ones

// The run of this number, or null.
template <class Runs>
auto numbered(Runs& runs, int number) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const TimedRun& run) { return run.number == number; });
  return found == runs.end() ? nullptr : &*found;
}

// True if the sweep has this plan already, timed as a sweep times it.
bool hasPlace(const TuneResult& sweep, const Candidate& plan) {
  constexpr double same = 1e-6;  // of alpha and W
  return std::any_of(sweep.candidates.begin(), sweep.candidates.end(), [&](const Candidate& other) {
    return other.timed() && other.backend == plan.backend && pathOf(other).name == pathOf(plan).name &&
           std::abs(pathOf(other).alpha - pathOf(plan).alpha) < same &&
           std::abs(other.options.width - plan.options.width) < same;
  });
}

}  // namespace

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

// The newest run of the open scan that is drawn, or null.
const TimedRun* ChartsFeature::newestDrawn() const {
  const auto found = std::find_if(runs_.rbegin(), runs_.rend(),
                                  [&](const TimedRun& run) { return run.visible && isOfScan(run); });
  return found == runs_.rend() ? nullptr : &*found;
}

// Two runs never bear one name: results are numbered anew at each start.
void ChartsFeature::nameApart(TimedRun& run) {
  const std::string asked = run.title();
  const auto isTaken = [&](const std::string& title) {
    return std::any_of(runs_.begin(), runs_.end(), [&](const TimedRun& other) {
      return other.number != run.number && other.title() == title;
    });
  };
  for (int n = 2; isTaken(run.title()); ++n) run.name = asked + " (" + std::to_string(n) + ")";
}

int ChartsFeature::nextNumber() const {
  return runs_.empty() ? 1 : runs_.back().number + 1;
}

bool ChartsFeature::isOfScan(const TimedRun& run) const {
  const auto scan = session_.scan();
  return !scan || run.isOf(scan->name, scan->fingerprint);
}

void ChartsFeature::restore(const std::vector<TimedRun>& runs, int chosen) {
  runs_ = runs;
  traces_.clear();
  live_ = 0;
  awaitsSecondPlan_ = keepsShownSweep_ = false;
  runsOfResults_.clear();
  draw(find(chosen));
}

// Results of adopted runs are not in this session; without a bound the list would grow.
void ChartsFeature::adopt(const std::vector<TimedRun>& runs, int chosen) {
  int wanted = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].pinned && i + maxAdopted < runs.size()) continue;
    TimedRun run = runs[i];
    run.number = nextNumber();
    run.results.clear();
    if (runs[i].number == chosen) wanted = run.number;
    runs_.push_back(std::move(run));
    nameApart(runs_.back());
  }
  const TimedRun* shown = find(wanted);
  if (chosen_ == 0 && shown && isOfScan(*shown)) return draw(shown);
  refresh();
}

void ChartsFeature::showRun(int number) {
  const TimedRun* run = find(number);
  if (!run || !run->timed || isLive() || run->plans() == 0 || number == chosen_) return refresh();
  const int before = chosen_;
  const bool sweep = run->kind == RunKind::sweep;
  draw(run);
  TimedRun* left = sweep ? editable(before) : nullptr;
  if (!left) return;
  left->visible = true;  // a point in the charts, or a line
  refresh();
  markShownPlan();
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

// Runs of different workloads share no axis; a running one knows late what it times.
bool ChartsFeature::hasAxisOf(const TimedRun& run) const {
  const auto& drawn = views_.charts->data().workload;
  return chosen_ == 0 || !drawn || !run.timed || run.timed->workload == *drawn;
}

// Hiding the run that the charts are of leaves them to the newest that is drawn. A tick on a run of
// another workload brings the charts to its axis.
void ChartsFeature::setVisible(int number, bool visible) {
  TimedRun* run = editable(number);
  if (!run || !run->timed) return refresh();
  run->visible = visible;
  if (visible && (chosen_ == 0 || !hasAxisOf(*run))) return draw(run);
  if (visible || number != chosen_) return refresh();
  draw(newestDrawn());
  if (TimedRun* hidden = editable(number)) hidden->visible = false;
  refresh();
}

void ChartsFeature::hideOthers(int number) {
  showRun(number);
  for (TimedRun& run : runs_)
    if (run.timed && isOfScan(run)) run.visible = run.number == number;
  refresh();
  markShownPlan();
}

void ChartsFeature::setPinned(int number, bool pinned) {
  if (TimedRun* run = editable(number)) {
    run->pinned = pinned;
    run->visible |= pinned && run->timed && run->plans() > 0;
  }
  refresh();
}

void ChartsFeature::rename(int number, const QString& name) {
  if (TimedRun* run = editable(number)) {
    run->name = name.trimmed().toStdString();
    nameApart(*run);
  }
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

// The list, and the runs behind the charts' own: sweeps as lines, reconstructions as points.
void ChartsFeature::refresh() {
  std::vector<TimedRun> listed;
  std::vector<std::shared_ptr<const RunTrace>> traces;
  std::vector<Candidate> plans;
  points_.clear();
  const bool sweep = keepsSweep();
  for (const TimedRun& run : runs_) {
    if (!isOfScan(run)) continue;
    listed.push_back(run);
    if (!run.visible || !run.timed || run.number == chosen_ || !hasAxisOf(run)) continue;
    if (sweep && run.kind != RunKind::sweep && !run.pinned) {
      const int best = run.timed->best >= 0 ? run.timed->best : 0;
      if (run.plans() == 0 || !run.timed->candidates[std::size_t(best)].timed() ||
          hasPlace(*find(chosen_)->timed, run.timed->candidates[std::size_t(best)]))
        continue;
      plans.push_back(run.timed->candidates[std::size_t(best)]);
      points_.push_back(run.number);
      continue;
    }
    auto& trace = traces_[run.number];
    if (!trace)
      trace = std::make_shared<const RunTrace>(
          traceOf(run.number, QString::fromStdString(run.title()), *run.timed, run.accuracy));
    traces.push_back(trace);
  }
  views_.charts->setResults(plans);
  views_.charts->setTraces(std::move(traces));
  views_.charts->runs()->setRuns(listed, chosen_);
  views_.charts->runs()->setVisible(!listed.empty());
  Q_EMIT runsChanged();
}

std::vector<TimedRun> ChartsFeature::runsOfScan() {
  std::vector<TimedRun> all = runs();
  std::erase_if(all, [this](const TimedRun& run) { return !isOfScan(run); });
  return all;
}

}  // namespace spokelab
