#include "engine/nufft/tune/sweep/rounds.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/tune_reason.h"

namespace spokelab {
namespace {

constexpr double turnSeconds = 0.01;  // for the executions of a turn; slow ones run once
constexpr unsigned orderSeed = 11;
// Quantile of set-up times, which occur once a turn: under load a few are many times longer.
constexpr double setUpQuantile = 0.25;
// The time after the first round grows by up to this until possible winners have minRepeats.
constexpr double maxExtension = 4;
constexpr double firstShare = 0.5;  // of the progress bar, if other rounds follow

struct Turns {
  RoundEntry* entry = nullptr;
  std::vector<StageTimings> runs;
  std::vector<double> planSeconds, setPointsSeconds, transferSeconds;
  bool retired = false;  // it could not be repeated
};

class Rounds {
 public:
  Rounds(std::vector<RoundEntry>& entries, const RoundLimits& limits, const Progress& progress,
         const std::function<void(const Candidate&)>& seen)
      : limits_(limits), progress_(progress), seen_(seen) {
    for (RoundEntry& entry : entries) turns_.push_back({&entry, {}, {}, {}, {}, false});
  }

  void run() {
    first();
    if (limits_.repeats == 1) return;
    const double end = now();
    const double least = limits_.minRefineSeconds;
    if (limits_.seconds > 0)
      deadline_ = begun_ + limits_.seconds;
    else if (limits_.repeats == 0)  // requested repeats are all taken
      deadline_ = end + std::max(least, end - begun_);
    std::mt19937 random(orderSeed);
    const bool extends = limits_.seconds == 0 && deadline_ > 0;
    const double last = deadline_ + (extends ? maxExtension * (deadline_ - end) : 0);
    while (!late(last)) {
      std::vector<Turns*> wanting = wantingMore();
      if (late(deadline_)) std::erase_if(wanting, [this](const Turns* t) { return !needed(*t); });
      if (wanting.empty()) return;
      std::shuffle(wanting.begin(), wanting.end(), random);
      for (Turns* turns : wanting) {
        if (late(last)) return;
        if (late(deadline_) && !needed(*turns)) continue;
        progress_.report(firstShare + (1 - firstShare) * std::max(shareOfRepeats(), shareOfTime(end)),
                         "again: " + describe(turns->entry->candidate));
        takeTurn(*turns, true);
      }
    }
  }

 private:
  static bool late(double deadline) { return deadline > 0 && now() > deadline; }

  // A plan that may win needs minRepeats to be compared.
  bool needed(const Turns& t) const {
    return repeatsOf(t) < RoundLimits::minRepeats && mayWin(t.entry->candidate, limits_.accuracy) &&
           t.entry->candidate.cost() <= maxContenderRatio * fastest();
  }

  double fastest() const {
    double best = HUGE_VAL;
    for (const Turns& t : turns_)
      if (mayWin(t.entry->candidate, limits_.accuracy)) best = std::min(best, t.entry->candidate.cost());
    return best;
  }

  void first() {
    if (limits_.seconds > 0) deadline_ = begun_ + limits_.seconds;
    const double share = limits_.repeats == 1 ? 1 : firstShare;
    bool any = false;
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      Candidate& c = turns_[i].entry->candidate;
      progress_.report(share * double(i) / double(turns_.size()), describe(c));
      if (c.refused.empty() && any && late(deadline_)) c.refused = "the time limit was over before its turn";
      if (!c.refused.empty()) {
        if (seen_) seen_(c);
        continue;
      }
      if (turns_[i].entry->predict) turns_[i].entry->predict(c);
      takeTurn(turns_[i], false);
      any = any || c.timed();
    }
  }

  void takeTurn(Turns& turns, bool again) {
    TimingPolicy policy;
    policy.seconds = turnSeconds;
    policy.timesOnly = again;
    // A turn that is cut short holds a warm-up only, so a repeat runs without the deadline.
    policy.deadline = again ? 0 : deadline_;
    Candidate& candidate = turns.entry->candidate;
    Candidate timed = candidate;
    timed.timings = {};
    turns.entry->time(timed, policy, progress_);
    const bool works = timed.refused.empty() && timed.timed();
    if (!again) candidate = timed;
    turns.retired = !works;
    if (works) {
      turns.runs.push_back(timed.timings);
      turns.planSeconds.push_back(timed.planSeconds);
      turns.setPointsSeconds.push_back(timed.setPointsSeconds);
      turns.transferSeconds.push_back(timed.transferSeconds);
      keepRuns(turns.runs, candidate);
      candidate.planSeconds = quantileOf(turns.planSeconds, setUpQuantile);
      candidate.setPointsSeconds = quantileOf(turns.setPointsSeconds, setUpQuantile);
      candidate.transferSeconds = quantileOf(turns.transferSeconds, setUpQuantile);
      candidate.seconds = candidate.parts().whole(limits_.workload);
    }
    if (seen_) seen_(candidate);
  }

  int repeatsOf(const Turns& turns) const { return int(turns.runs.size()); }

  std::vector<Turns*> wantingMore() {
    const double best = fastest();
    std::vector<Turns*> others, contenders;
    bool open = false;  // some contender's repeats are too few or too far apart
    const int least = limits_.repeats > 0 ? limits_.repeats : RoundLimits::minRepeats;
    const int most = limits_.repeats > 0 ? limits_.repeats : RoundLimits::maxRepeats;
    for (Turns& t : turns_) {
      const Candidate& c = t.entry->candidate;
      if (t.retired || !c.timed()) continue;
      if (mayWin(c, limits_.accuracy) && c.cost() <= maxContenderRatio * best) {
        if (repeatsOf(t) >= most) continue;
        contenders.push_back(&t);
        open = open || repeatsOf(t) < least || c.spread > maxSpread;
      } else if (repeatsOf(t) < least) {
        others.push_back(&t);
      }
    }
    if (open) others.insert(others.end(), contenders.begin(), contenders.end());
    return others;
  }

  double shareOfRepeats() const {
    const int wanted = limits_.repeats > 0 ? limits_.repeats : RoundLimits::minRepeats;
    double done = 0, all = 0;
    for (const Turns& t : turns_) {
      if (t.retired || !t.entry->candidate.timed()) continue;
      all += wanted;
      done += std::min(wanted, repeatsOf(t));
    }
    return all > 0 ? done / all : 0;
  }

  double shareOfTime(double from) const {
    return deadline_ > 0 ? std::min(1.0, (now() - from) / (deadline_ - from)) : 0;
  }

  const RoundLimits& limits_;
  const Progress& progress_;
  const std::function<void(const Candidate&)>& seen_;
  std::vector<Turns> turns_;
  double begun_ = now(), deadline_ = 0;
};

}  // namespace

void timeInRounds(std::vector<RoundEntry>& entries, const RoundLimits& limits, const Progress& progress,
                  const std::function<void(const Candidate&)>& seen) {
  Rounds(entries, limits, progress, seen).run();
}

double expectedSeconds(std::vector<RoundEntry>& entries, const RoundLimits& limits, bool measureError) {
  double first = 0, again = 0;
  const int repeats = limits.repeats > 0 ? limits.repeats : RoundLimits::minRepeats;
  for (RoundEntry& entry : entries) {
    Candidate& c = entry.candidate;
    if (!c.refused.empty()) continue;
    if (entry.predict) entry.predict(c);
    const CostParts& p = c.predictedParts;
    const double execution = p.execution + p.transfer;
    const double turn = p.plan + p.points + execution + std::max(turnSeconds, execution);
    first += turn;
    again += turn * (repeats - 1);
    if (measureError) first += errorSeconds(execution);
  }
  if (limits.seconds > 0) return std::min(limits.seconds, first + again);
  if (limits.repeats > 0) return first + again;
  return first + std::min(again, std::max(first, limits.minRefineSeconds));
}

}  // namespace spokelab
