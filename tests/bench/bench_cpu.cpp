// The CPU's transforms beside a peer's, at equal measured error, same threads and points, each at
// its best setting.
//
//   bench_cpu [--peer FILE]... [--cases TEXT] [--threads N] [--repeats N] [--minutes M] [--json FILE]
//
// The peer runs at the best of its settings (peer_search.h). What it
// reaches (against exact sums at random outputs) is then asked of our tuner, and the error of the
// plan it chooses is measured the same way. Then both run in turns, and medians of execute and of
// set-points + execute are compared. Where our plan stores what setting points has to compute, the
// same plan with polynomials runs, too: of set-points + execute the faster counts. A
// row where ours took more than `rerunFrom` of the peer's time is run again at the end, as long as
// there is time.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/cpu_trial.h"
#include "tests/bench/peer_search.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr double rerunFrom = 1 / 0.9;
constexpr double tuneRuns = 40, tuneLeast = 1.5, tuneMost = 6;  // runs of the peer's; seconds
constexpr double secondsInTurns = 2.5;                          // fewer repeats of long runs
constexpr int fewestRepeats = 3;

struct Arguments : CaseArguments {
  std::vector<std::string> peers;
  int repeats = 9;
};

double load() {
  double average = -1;
  return getloadavg(&average, 1) == 1 ? average : -1;
}

template <class Real>
Candidate tuned(NufftBackend& backend, const Trial<Real>& trial, double accuracy, int threads, double limit) {
  TuneRequest request;
  request.problem = trial.c.problem;
  request.points = trial.points;
  request.options.accuracy = accuracy;
  request.options.threads = threads;
  request.mustTime = true;
  request.workload.direction = trial.adjoint ? Direction::adjoint : Direction::forward;
  request.timeLimit = limit;
  NufftBackend* const backends[] = {&backend};
  const TuneResult result = tune(backends, request, nullptr, {});
  if (result.best < 0) throw Error("The bench cannot run", trial.c.name() + " is out of reach", "");
  return result.candidates[static_cast<std::size_t>(result.best)];
}

// Both in turns, and the medians.
template <class Real>
void timeInTurns(Trial<Real>& trial, Nufft<Real>& plan, Nufft<Real>* light, Peer<Real>* peer, int repeats,
                 json& row) {
  std::vector<double> execute, whole, lightWhole, set, peerExecute, peerWhole;
  std::array<std::vector<double>, stageCount> stages;
  const double start = now();
  for (int i = 0; i < repeats && (i < fewestRepeats || now() - start < secondsInTurns); ++i) {
    if (peer) std::this_thread::sleep_for(spinTime);
    StageTimings run;
    const double setTime = secondsOf([&] { plan.setPoints(trial.points); });
    const double time = secondsOf([&] { run = timedStages([&] { trial.execute(plan); }); });
    execute.push_back(time);
    whole.push_back(setTime + time);
    set.push_back(setTime);
    if (light)
      lightWhole.push_back(secondsOf([&] {
        light->setPoints(trial.points);
        trial.execute(*light);
      }));
    for (std::size_t s = 0; s < stages.size(); ++s) stages[s].push_back(run.seconds[s]);
    if (!peer) continue;
    std::this_thread::sleep_for(spinTime);
    const double peerSet = secondsOf([&] { peer->setPoints(); });
    const double peerTime = secondsOf([&] { trial.execute(*peer); });
    peerExecute.push_back(peerTime);
    peerWhole.push_back(peerSet + peerTime);
  }
  row["repeats"] = execute.size();
  const double best = light ? std::min(medianOf(whole), medianOf(lightWhole)) : medianOf(whole);
  row["seconds"] = {{"execute", medianOf(execute)}, {"set_and_execute", best}, {"set_points", medianOf(set)}};
  if (light)
    row["set_and_execute_with"] = best < medianOf(whole) ? light->info().description : "the same plan";
  row["scatter"] = relativeSpread(execute);
  for (std::size_t s = 0; s < stages.size(); ++s)
    if (const double time = medianOf(stages[s]); time > 0) row["stages"][std::string(stageNames[s])] = time;
  if (!peer) return;
  row["peer"]["seconds"] = {{"execute", medianOf(peerExecute)}, {"set_and_execute", medianOf(peerWhole)}};
  row["peer"]["scatter"] = relativeSpread(peerExecute);
  row["ratio"] = {{"execute", medianOf(execute) / medianOf(peerExecute)},
                  {"set_and_execute", best / medianOf(peerWhole)}};
}

template <class Real>
json runTrial(NufftBackend& backend, const CpuCase& c, bool adjoint, const std::vector<double>& points,
              const Arguments& arguments) {
  Trial<Real> trial(c, adjoint, points);
  json row{{"case", c.name() + (adjoint ? " type 1" : " type 2")},
           {"points", points.size() / static_cast<std::size_t>(c.problem.dims)}};
  double accuracy = c.tolerance, limit = tuneMost;
  FastestPeer<Real> peer;
  if (peerFound && !arguments.peers.empty()) {
    peer = fastestPeer(trial, arguments.peers, arguments.threads, false);
    row["peer"] = peer.json();
    accuracy = peer.error;
    limit = std::clamp(tuneRuns * peer.seconds, tuneLeast, tuneMost);
  }
  const Candidate best = tuned(backend, trial, accuracy, arguments.threads, limit);
  const auto plan = backend.plan<Real>(c.problem, best.options);
  std::unique_ptr<Nufft<Real>> light;
  if (plan->info().options.precomputation != Precomputation::polynomial) {
    NufftOptions options = best.options;
    options.precomputation = Precomputation::polynomial;
    light = backend.plan<Real>(c.problem, options);
  }
  plan->setPoints(points);
  trial.execute(*plan);
  row["error"] = trial.error();
  row["alpha"] = best.options.alpha;
  row["width"] = best.options.width;
  row["kernel"] = kernelName(best.options.kernel);
  row["plan"] = plan->info().description;
  timeInTurns(trial, *plan, light.get(), peer.peer.get(), arguments.repeats, row);
  return row;
}

void print(const json& row) {
  const json& own = row["seconds"];
  std::printf("%-46s a %.3f W %5.2f err %.1e exec %8.2f set+exec %8.2f ms",
              row["case"].get<std::string>().c_str(), row["alpha"].get<double>(), row["width"].get<double>(),
              row["error"].get<double>(), 1e3 * own["execute"].get<double>(),
              1e3 * own["set_and_execute"].get<double>());
  if (row.contains("ratio")) {
    const json& peer = row["peer"];
    std::printf(" | peer a %.2f err %.1e %8.2f %8.2f ms | ours takes %.2f (with points %.2f) of it",
                peer["alpha"].get<double>(), peer["error"].get<double>(),
                1e3 * peer["seconds"]["execute"].get<double>(),
                1e3 * peer["seconds"]["set_and_execute"].get<double>(), row["ratio"]["execute"].get<double>(),
                row["ratio"]["set_and_execute"].get<double>());
  }
  std::printf("\n");
  std::fflush(stdout);
}

// Geometric mean and worst of ours over the peer's time.
json summaryOf(const json& rows) {
  json summary;
  for (const char* what : {"execute", "set_and_execute"}) {
    Ratios ratios;
    for (const json& row : rows)
      if (row.contains("ratio")) ratios.add(row["case"].get<std::string>(), row["ratio"][what].get<double>());
    if (ratios.count() > 0) summary[what] = ratios.json();
  }
  return summary;
}

void run(const Arguments& arguments) {
  json result = machineReport();
  result.update({{"peer", peerName},
                 {"warm_up", "three executions"},
                 {"threads", arguments.threads},
                 {"load_before", load()},
                 {"rows", json::array()},
                 {"not_run", json::array()}});
  json& rows = result["rows"];
  const auto backend = makeCpuBackend();
  const double start = now();
  const auto late = [&] { return arguments.late(now() - start); };
  const auto keep = [&] {  // after each row: a run that is cut off keeps what it has
    result["load_after"] = load();
    result["summary"] = summaryOf(rows);
    save(arguments.json, result);
  };
  const auto runOne = [&](const CpuCase& c, bool adjoint, const std::vector<double>& points) {
    const json row = c.problem.precision == Precision::single
                         ? runTrial<float>(*backend, c, adjoint, points, arguments)
                         : runTrial<double>(*backend, c, adjoint, points, arguments);
    print(row);
    return row;
  };
  std::vector<std::pair<CpuCase, bool>> ran;
  for (const CpuCase& c : cpuCases()) {
    if (!arguments.wants(c.name())) continue;
    std::vector<double> points;
    for (const bool adjoint : {true, false}) {
      if (late()) {
        result["not_run"].push_back(c.name() + (adjoint ? " type 1" : " type 2"));
        continue;
      }
      if (points.empty()) points = cpuPoints(c);
      try {
        rows.push_back(runOne(c, adjoint, points));
        ran.emplace_back(c, adjoint);
      } catch (const Error& e) {
        result["not_run"].push_back(c.name() + (adjoint ? " type 1: " : " type 2: ") + e.reason());
      }
      keep();
    }
  }
  for (std::size_t i = 0; i < ran.size() && !late(); ++i) {
    if (!rows[i].contains("ratio") || rows[i]["ratio"]["execute"].get<double>() <= rerunFrom) continue;
    json again = runOne(ran[i].first, ran[i].second, cpuPoints(ran[i].first));
    again["first_ratio"] = rows[i]["ratio"];
    if (again["ratio"]["execute"].get<double>() < rows[i]["ratio"]["execute"].get<double>()) rows[i] = again;
    keep();
  }
  std::cout << result["summary"].dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "The CPU's transforms beside a peer's at equal measured error",
      [&](CLI::App& app) {
        arguments.add(app);
        addPeers(app, arguments.peers);
        app.add_option("--repeats", arguments.repeats, "Executions a row")->check(CLI::PositiveNumber);
      },
      [&] {
        arguments.threads = arguments.threadCount();
        run(arguments);
      });
}
