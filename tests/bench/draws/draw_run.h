// One draw: our plans as the tuner chooses them at its default effort for the accuracy that was
// drawn, one for executions alone and one for points set for each execution, as the peer's best is
// picked for each; every choice of the peer's; and then the best of them in turns. Ours are planned
// anew, more accurately, for each choice of the peer's whose error turns out to be smaller: nothing
// is compared at a larger error than the peer's.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cuda/backend.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "tests/bench/draws/draw_data.h"
#include "tests/bench/draws/draw_request.h"

namespace spokelab::bench {

using nlohmann::json;

inline constexpr double slowPlanningSeconds = 1;

struct DrawSettings {
  int maxRepeats = 15;
  double exploreSeconds = 0;  // for an exhaustive search where the peer is ahead; 0: none
  bool oursOnly = false;
};

template <class Real>
class DrawRun {
 public:
  DrawRun(Backend& backend, const Draw& draw, const DrawSettings& settings)
      : backend_(backend), draw_(draw), settings_(settings), data_(draw) {}

  // Throws Error where no plan of ours serves the draw.
  json run() {
    const NufftProblem& p = draw_.c.problem;
    row_ = {{"draw", draw_.number}, {"case", draw_.c.name},         {"points", data_.count()},
            {"coils", p.batch},     {"accuracy", draw_.c.accuracy}, {"checked outputs", data_.checked()}};
    makePlans(draw_.c.accuracy);
    if (!settings_.oursOnly) searchPeer();
    for (Rival& r : rivals_) r.ours = pairFor(r.contender.error);
    std::vector<Contender*> all;
    for (Pair& pair : pairs_) all.insert(all.end(), {&pair.executes.contender, &pair.whole.contender});
    for (Rival& r : rivals_) all.push_back(&r.contender);
    takeTurns(all);
    compare();
    double overAsked = 0;
    for (const Pair& pair : pairs_) overAsked = std::max(overAsked, pair.error() / pair.asked);
    row_["error over asked"] = overAsked;
    Own &executes = pairOf(best_).executes, &whole = pairOf(bestWhole_).whole;
    row_["as asked"] = told(pairs_.front().executes);
    row_["as asked, set + execute"] = told(pairs_.front().whole);
    row_["ours"] = told(executes);
    row_["ours, set + execute"] = told(whole);
    stages("", *executes.plan);
    stages(", set + execute", *whole.plan);
    if (settings_.exploreSeconds > 0 && row_.contains("ratio") &&
        row_["ratio"]["execute, best"].template get<double>() < exploreBelow)
      explore(executes.contender);
    return row_;
  }

 private:
  static constexpr double exploreBelow = 1.1;
  // A choice of the peer's has failed if its error exceeds the accuracy by this factor.
  static constexpr double maxErrorRatio = 10;
  // Choices of the peer that are slower than its fastest by this factor are not repeated.
  static constexpr double abandonIfSlower = 3;
  static constexpr int choiceRuns = 3;
  static constexpr double secondsOfTurns = 0.15;

  struct Own {
    std::unique_ptr<Nufft<Real>> plan;
    Contender contender;
  };
  // For one error: a plan for executions alone, and one for points set each time.
  struct Pair {
    Own executes, whole;
    double asked = 0;
    double error() const { return std::max(executes.contender.error, whole.contender.error); }
  };
  struct Rival {
    std::unique_ptr<Peer<Real>> peer;
    Contender contender;
    bool standard = false;  // its defaults
    std::size_t ours = 0;   // the pair that it is compared with
  };

  TuneRequest request(double accuracy, double executions) const {
    return drawRequest(draw_, data_.points(), accuracy, executions);
  }

  // Without wisdom; the cost model knows what this process has tuned before.
  std::unique_ptr<Nufft<Real>> planned(double accuracy, double executions) {
    NufftBackend* const backends[] = {&backend_};
    const double begun = now();
    json timed = json::array();
    const TuneResult result =
        tune(backends, request(accuracy, executions), nullptr, {}, [&](const Candidate& c) {
          timed.push_back({{"at s", now() - begun},
                           {"candidate", describe(c)},
                           {"plan ms", c.planSeconds * 1e3},
                           {"set ms", c.setPointsSeconds * 1e3},
                           {"execute ms", c.timings.total * 1e3},
                           {"runs", c.repeats}});
        });
    const double seconds = now() - begun;
    row_["planning s"] = std::max(seconds, row_.value("planning s", 0.0));
    row_["candidates"] = result.candidates.size();
    row_["timed"] = timed.size();
    if (seconds > slowPlanningSeconds) row_["slow planning"].push_back(timed);
    if (settings_.exploreSeconds > 0)
      row_["searches"].push_back({{"executions", executions}, {"timed", timed}});
    return backend_.plan<Real>(draw_.c.problem, result.candidates[std::size_t(result.best)].options);
  }

  void makePlans(double accuracy) {
    Pair pair{{planned(accuracy, manyTimes), {}}, {planned(accuracy, once), {}}, accuracy};
    for (Own* own : {&pair.executes, &pair.whole}) own->contender = warm(*own->plan);
    pairs_.push_back(std::move(pair));
  }

  // The pair of the largest error up to this one, planned if missing.
  std::size_t pairFor(double error) {
    if (const std::optional<std::size_t> found = pairUpTo(error)) return *found;
    row_["planned for"].push_back(error);
    try {
      makePlans(error);
    } catch (const Error& refusal) {
      row_["out of reach"] = refusal.reason();
    }
    return pairUpTo(error).value_or(pairs_.size() - 1);
  }
  std::optional<std::size_t> pairUpTo(double error) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].error() <= error && (!found || pairs_[i].error() > pairs_[*found].error())) found = i;
    return found;
  }
  Pair& pairOf(int rival) { return pairs_[rival < 0 ? 0 : rivals_[std::size_t(rival)].ours]; }

  Contender warm(Nufft<Real>& plan) {
    Contender c = contenderOf(plan, data_.arrays());
    c.time();
    c.error = data_.error();
    return c;
  }

  // Keeps its defaults, its fastest execution, and its fastest with points set.
  void searchPeer() {
    const auto choices = peerChoices<Real>(draw_.c, draw_.adjoint, data_.peerPoints(), benchStream());
    int fastest = -1, fastestWhole = -1;
    std::vector<Contender> seen;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const auto peer = choices[i]();
      Contender c = contenderOf(*peer, data_.arrays());
      bool good = c.time();
      c.error = good ? data_.error() : HUGE_VAL;
      const double best = fastest < 0 ? HUGE_VAL : seen[std::size_t(fastest)].runMedian();
      const bool slow = c.runMedian() > abandonIfSlower * best;
      if (good && !slow) c.forgetTimes();
      for (int run = 0; run < choiceRuns && good && !slow; ++run) good = c.time();
      good = good && c.error <= maxErrorRatio * draw_.c.accuracy;
      seen.push_back(c);
      row_["peer"].push_back(timesOf(c));
      row_["peer"].back()["valid"] = good;
      if (!good) continue;
      const auto leads = [&](int other, double (Contender::*time)() const) {
        return other < 0 || (c.*time)() < (seen[std::size_t(other)].*time)();
      };
      if (leads(fastest, &Contender::runMedian)) fastest = int(i);
      if (leads(fastestWhole, &Contender::wholeMedian)) fastestWhole = int(i);
      if (i == 0) keep(choices, 0, seen);
    }
    if (fastest < 0) return;
    best_ = keep(choices, fastest, seen);
    bestWhole_ = keep(choices, fastestWhole, seen);
  }

  template <class Choices>
  int keep(const Choices& choices, int choice, const std::vector<Contender>& seen) {
    const Contender& found = seen[std::size_t(choice)];
    for (std::size_t i = 0; i < rivals_.size(); ++i)
      if (rivals_[i].contender.name == found.name) return int(i);
    Rival rival;
    rival.peer = choices[std::size_t(choice)]();
    rival.contender = contenderOf(*rival.peer, data_.arrays());
    rival.contender.error = found.error;
    rival.standard = choice == 0;
    rivals_.push_back(std::move(rival));
    return int(rivals_.size()) - 1;
  }

  void takeTurns(const std::vector<Contender*>& all) {
    for (Contender* c : all) {
      c->forgetTimes();
      c->time();  // warm-up
    }
    double round = 0;
    for (Contender* c : all) round += c->turnMedian();
    const int repeats = std::clamp(int(secondsOfTurns / round), 3, settings_.maxRepeats);
    for (Contender* c : all) c->forgetTimes();
    for (int i = 0; i < repeats; ++i)
      for (Contender* c : all) c->time();
    row_["repeats"] = repeats;
  }

  static json timesOf(const Contender& c) {
    return {{"name", c.name},
            {"set ms", c.setMedian() * 1e3},
            {"first execute ms", medianOf(c.first) * 1e3},
            {"execute ms", c.runMedian() * 1e3},
            {"error", std::isfinite(c.error) ? json(c.error) : json()}};
  }

  static json told(const Own& own) {
    json j = timesOf(own.contender);
    j["plan"] = own.plan->info().description;
    j["MB"] = std::round(double(own.plan->info().memory) * 1e-6);
    return j;
  }

  // Times of the peer over ours.
  void compare() {
    json& ratio = row_["ratio"];
    const auto add = [&](const Rival& r, const std::string& name, bool execute, bool whole) {
      const Contender &peer = r.contender, &executes = pairs_[r.ours].executes.contender,
                      &both = pairs_[r.ours].whole.contender;
      if (execute) ratio["execute, " + name] = peer.runMedian() / executes.runMedian();
      if (whole) ratio["set + execute, " + name] = peer.wholeMedian() / both.wholeMedian();
      if (whole) ratio["set, " + name] = peer.setMedian() / both.setMedian();
    };
    for (const Rival& r : rivals_)
      if (r.standard) add(r, "default", true, true);
    if (best_ >= 0) add(rivals_[std::size_t(best_)], "best", true, false);
    if (bestWhole_ >= 0) add(rivals_[std::size_t(bestWhole_)], "best", false, true);
    if (ratio.is_null()) row_.erase("ratio");
    if (best_ >= 0) row_["finalist, execute"] = timesOf(rivals_[std::size_t(best_)].contender);
    if (bestWhole_ >= 0)
      row_["finalist, set + execute"] = timesOf(rivals_[std::size_t(bestWhole_)].contender);
  }

  // Times our stages. Each stage is waited for, so the sum exceeds the time above.
  void stages(const std::string& which, Nufft<Real>& plan) {
    const auto values = std::size_t(data_.count() * plan.problem().dims);
    const StageTimings set = timedStages([&] {
      plan.setPoints(devicePoints({data_.arrays().points, values}, benchStream()));
    });
    Execution execution;
    execution.devicePointers = true;
    execution.stream = benchStream();
    const auto& a = data_.arrays();
    const StageTimings run = timedStages([&] {
      a.adjoint ? plan.adjoint(a.samples, a.outImage, execution)
                : plan.forward(a.image, a.outSamples, execution);
    });
    const auto add = [&](const std::string& name, const StageTimings& t) {
      for (std::size_t s = 0; s < std::size_t(stageCount); ++s)
        if (t.seconds[s] > 0) row_[name + which][std::string(stageNames[s])] = t.seconds[s] * 1e3;
    };
    add("stages of set ms", set);
    add("stages of execute ms", run);
  }

  // Checks if the tuner had a faster choice.
  void explore(Contender& mine) {
    TuneRequest all = request(draw_.c.accuracy, manyTimes);
    all.effort = TuneEffort::exhaustive;
    all.timeLimit = settings_.exploreSeconds;
    NufftBackend* const backends[] = {&backend_};
    const TuneResult result = tune(backends, all, nullptr, {});
    const Candidate& best = result.candidates[std::size_t(result.best)];
    const auto plan = backend_.plan<Real>(draw_.c.problem, best.options);
    Contender found = warm(*plan);
    takeTurns({&mine, &found});
    row_["exhaustive"] = timesOf(found);
    row_["exhaustive"]["plan"] = plan->info().description;
    row_["exhaustive"]["gain"] = mine.runMedian() / found.runMedian();
  }

  Backend& backend_;
  const Draw& draw_;
  const DrawSettings& settings_;
  DrawData<Real> data_;
  std::vector<Pair> pairs_;  // the first for the accuracy that was drawn
  std::vector<Rival> rivals_;
  int best_ = -1, bestWhole_ = -1;  // rivals
  json row_;
};

}  // namespace spokelab::bench
