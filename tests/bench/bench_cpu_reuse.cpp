// Measures points that serve once on the CPU, beside a peer at equal measured error: set-points and
// execute of the plan that the tuner chooses for one execution for each set of points, against the
// peer's fastest setting for the same (peer_search.h). Plans are made beforehand, on both sides.
// A second group of rows compares execute of the plan for 100 executions with execute of the plan
// for executions alone: a plan for many executions must still store what a plan for few does not.
//
//   bench_cpu_reuse [--peer FILE]... [--cases TEXT] [--threads N] [--repeats N] [--minutes M] [--json FILE]
//
// Ten problems, each in both directions.
#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/cpu_trial.h"
#include "tests/bench/peer_search.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr double secondsInTurns = 1.5;
constexpr int fewestRepeats = 5;
constexpr double manyExecutions = 100;

struct Arguments : CaseArguments {
  std::vector<std::string> peers;
  int repeats = 25;
};

std::vector<CpuCase> reuseCases() {
  std::vector<CpuCase> cases;
  const auto add = [&](auto... of) { cases.push_back(cpuCase(of...)); };
  const auto f = Precision::single, d = Precision::double64;
  add(2, 512, f, 1e-3, "radial", 1);
  add(3, 126, f, 1e-3, "radial3d", 16);
  add(2, 512, f, 1e-4, "spiral", 1);
  add(3, 126, f, 1e-3, "random", 4);
  add(2, 512, f, 1e-3, "clustered", 1);
  add(3, 126, f, 1e-4, "stack-of-spirals", 1);
  add(2, 512, f, 1e-5, "random", 1);
  add(3, 126, f, 1e-3, "clustered", 4);
  add(2, 256, f, 1e-3, "radial", 4);
  add(3, 126, d, 1e-6, "radial3d", 4);
  return cases;
}

template <class Real>
TuneResult tuned(NufftBackend& backend, const Trial<Real>& trial, double accuracy, int threads,
                 double executions) {
  TuneRequest request;
  request.problem = trial.c.problem;
  request.points = trial.points;
  request.options.accuracy = accuracy;
  request.options.threads = threads;
  request.workload.direction = trial.adjoint ? Direction::adjoint : Direction::forward;
  request.workload.executions = executions;
  request.workload.pointSets = Workload::unlimited;  // the plan is made beforehand
  NufftBackend* const backends[] = {&backend};
  TuneResult result = tune(backends, request, nullptr, {});
  if (result.best < 0) throw Error("The bench cannot run", trial.c.name() + " is out of reach", "");
  return result;
}

const NufftOptions& optionsOf(const TuneResult& result) {
  return result.candidates[static_cast<std::size_t>(result.best)].options;
}

// Calls of `first` and `second` in turns, until the time is up.
template <class First, class Second>
void inTurns(int repeats, const First& first, const Second& second) {
  const double start = now();
  for (int i = 0; i < repeats && (i < fewestRepeats || now() - start < secondsInTurns); ++i) {
    first();
    second();
  }
}

template <class Real>
json once(NufftBackend& backend, Trial<Real>& trial, const std::string& name, const Arguments& arguments) {
  json row{{"case", name}, {"points", trial.points.size() / std::size_t(trial.c.problem.dims)}};
  double accuracy = trial.c.tolerance;
  FastestPeer<Real> peer;
  if (peerFound && !arguments.peers.empty()) {
    peer = fastestPeer(trial, arguments.peers, arguments.threads, true);
    row["peer"] = peer.json();
    accuracy = peer.error;
  }
  const TuneResult result = tuned(backend, trial, accuracy, arguments.threads, 1);
  const auto plan = backend.plan<Real>(trial.c.problem, optionsOf(result));
  plan->setPoints(trial.points);
  trial.execute(*plan);
  row["error"] = trial.error();
  row["plan"] = describe(result.candidates[std::size_t(result.best)]);
  row["planning_seconds"] = result.seconds;
  std::vector<double> set, executed, whole, peerSet, peerExecuted, peerWhole;
  inTurns(
      arguments.repeats,
      [&] {
        if (peer.peer) std::this_thread::sleep_for(spinTime);

        set.push_back(secondsOf([&] { plan->setPoints(trial.points); }));
        executed.push_back(secondsOf([&] { trial.execute(*plan); }));
        whole.push_back(set.back() + executed.back());
      },
      [&] {
        if (!peer.peer) return;
        std::this_thread::sleep_for(spinTime);
        peerSet.push_back(secondsOf([&] { peer.peer->setPoints(); }));
        peerExecuted.push_back(secondsOf([&] { trial.execute(*peer.peer); }));
        peerWhole.push_back(peerSet.back() + peerExecuted.back());
      });
  row["repeats"] = whole.size();
  row["seconds"] = {
      {"set_and_execute", medianOf(whole)}, {"set_points", medianOf(set)}, {"execute", medianOf(executed)}};
  row["scatter"] = relativeSpread(whole);
  if (!peer.peer) return row;
  row["peer"]["seconds"] = {{"set_and_execute", medianOf(peerWhole)},
                            {"set_points", medianOf(peerSet)},
                            {"execute", medianOf(peerExecuted)}};
  row["peer"]["scatter"] = relativeSpread(peerWhole);
  row["ratio"] = medianOf(whole) / medianOf(peerWhole);
  return row;
}

// At the case's own tolerance.
template <class Real>
json oftenUsed(NufftBackend& backend, Trial<Real>& trial, const std::string& name,
               const Arguments& arguments) {
  const double accuracy = trial.c.tolerance;
  const NufftOptions options[] = {
      optionsOf(tuned(backend, trial, accuracy, arguments.threads, manyExecutions)),
      optionsOf(tuned(backend, trial, accuracy, arguments.threads, Workload::unlimited))};
  std::unique_ptr<Nufft<Real>> plans[2];
  std::vector<double> seconds[2];
  for (std::size_t i = 0; i < 2; ++i) {
    plans[i] = backend.plan<Real>(trial.c.problem, options[i]);
    plans[i]->setPoints(trial.points);
    trial.execute(*plans[i]);
  }
  const auto run = [&](std::size_t i) { seconds[i].push_back(secondsOf([&] { trial.execute(*plans[i]); })); };
  inTurns(
      arguments.repeats, [&] { run(0); }, [&] { run(1); });
  return {{"case", name},
          {"plan", plans[0]->info().description},
          {"plan_of_executions_alone", plans[1]->info().description},
          {"same_plan", options[0] == options[1]},
          {"execute_seconds", medianOf(seconds[0])},
          {"execute_seconds_of_executions_alone", medianOf(seconds[1])},
          {"ratio", medianOf(seconds[0]) / medianOf(seconds[1])}};
}

void print(const json& row, const json& often) {
  const json& own = row["seconds"];
  std::printf("%-46s err %.1e set %8.2f exec %8.2f both %8.2f ms, %s", row["case"].get<std::string>().c_str(),
              row["error"].get<double>(), 1e3 * own["set_points"].get<double>(),
              1e3 * own["execute"].get<double>(), 1e3 * own["set_and_execute"].get<double>(),
              row["plan"].get<std::string>().c_str());
  if (row.contains("ratio")) {
    const json& peer = row["peer"]["seconds"];
    std::printf(" | peer err %.1e %8.2f %8.2f %8.2f ms, %s | ours takes %.2f of it",
                row["peer"]["error"].get<double>(), 1e3 * peer["set_points"].get<double>(),
                1e3 * peer["execute"].get<double>(), 1e3 * peer["set_and_execute"].get<double>(),
                row["peer"]["setting"].get<std::string>().c_str(), row["ratio"].get<double>());
  }
  std::printf(" | execute, 100 over executions alone: %.2f\n", often["ratio"].get<double>());
  std::fflush(stdout);
}

void run(const Arguments& arguments) {
  json result = machineReport();
  result.update({{"commit", versionCommit()},
                 {"peer", peerFound ? peerName : "none"},
                 {"threads", arguments.threads},
                 {"rows", json::array()},
                 {"often_used", json::array()},
                 {"not_run", json::array()}});
  const auto backend = makeCpuBackend();
  const double start = now();
  Ratios once1, often;
  const auto runOne = [&]<class Real>(const CpuCase& c, bool adjoint, const std::vector<double>& points,
                                      Real) {
    const std::string name = c.name() + (adjoint ? " type 1" : " type 2");
    Trial<Real> trial(c, adjoint, points);
    const json row = once(*backend, trial, name, arguments),
               many = oftenUsed(*backend, trial, name, arguments);
    print(row, many);
    result["rows"].push_back(row);
    result["often_used"].push_back(many);
    if (row.contains("ratio")) once1.add(name, row["ratio"].get<double>());
    often.add(name, many["ratio"].get<double>());
  };
  for (const CpuCase& c : reuseCases()) {
    if (!arguments.wants(c.name())) continue;
    std::vector<double> points;
    for (const bool adjoint : {true, false}) {
      const std::string name = c.name() + (adjoint ? " type 1" : " type 2");
      if (arguments.late(now() - start)) {
        result["not_run"].push_back(name);
        continue;
      }
      if (points.empty()) points = cpuPoints(c);
      try {
        if (c.problem.precision == Precision::single)
          runOne(c, adjoint, points, float());
        else
          runOne(c, adjoint, points, double());
      } catch (const Error& e) {
        result["not_run"].push_back(name + ": " + e.reason());
      }
      if (once1.count() > 0) result["summary"]["set_and_execute_over_peer"] = once1.json();
      if (often.count() > 0) result["summary"]["execute_of_100_over_alone"] = often.json();
      result["bench_seconds"] = now() - start;
      save(arguments.json, result);
    }
  }
  std::cout << result["summary"].dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Set-points and execute beside a peer's, at equal measured error",
      [&](CLI::App& app) {
        arguments.add(app);
        addPeers(app, arguments.peers);
        app.add_option("--repeats", arguments.repeats, "Runs a row, at most")->check(CLI::PositiveNumber);
      },
      [&] {
        arguments.threads = arguments.threadCount();
        run(arguments);
      });
}
