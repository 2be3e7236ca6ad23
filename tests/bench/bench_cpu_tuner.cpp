// The tuner's default effort on the CPU beside the best of an exhaustive search, both timed again
// in turns, one direction at a time; planning times are wall time. bench_gpu_tuner.cpp is the same
// for the GPU, with device time.
//
// The default effort plans every case before the first exhaustive search: what a cost model learns
// from hundreds of timings would otherwise help it. Ten rows; with 16 threads 2 to 4 minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/profile/study/plan_race.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/cpu_cases.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr double raceSeconds = 2;  // of executions in turns, about
constexpr int fewestRounds = 15, mostRounds = 201;

struct Arguments : CaseArguments {
  int rounds = 0;  // 0: by raceSeconds
};

// A selection of cpuCases(): one of each kind that a search of all candidates completes, one
// direction each.
struct Wanted {
  const char* name;
  bool adjoint;
};
constexpr Wanted wanted[] = {{"126^3 radial3d R 16 float 1e-03", true},
                             {"126^3 radial3d R 16 float 1e-03", false},
                             {"512^2 radial R 1 float 1e-03", true},
                             {"512^2 random R 1 float 1e-05", false},
                             {"126^3 clustered R 4 float 1e-03", true},
                             {"126^3 radial3d R 4 float 1e-02", false},
                             {"512^2 radial R 1 double 1e-06", true},
                             {"126^3 stack-of-stars R 4 float 1e-05", true},
                             {"126^3 stack-of-stars R 16 double 1e-06", false},
                             {"512^2 random R 1 float 1e-02", true}};

struct Row {
  CpuCase c;
  bool adjoint;
  std::vector<double> points;
  TuneResult quick;

  std::string name() const { return c.name() + (adjoint ? " type 1" : " type 2"); }
};

const Candidate& bestOf(const TuneResult& result) {
  return result.candidates[static_cast<std::size_t>(result.best)];
}

TuneResult search(NufftBackend& backend, const Row& row, int threads, TuneEffort effort) {
  TuneRequest request;
  request.problem = row.c.problem;
  request.points = row.points;
  request.options.accuracy = row.c.tolerance;
  request.options.threads = threads;
  request.mustTime = true;
  request.workload.direction = row.adjoint ? Direction::adjoint : Direction::forward;
  request.effort = effort;
  NufftBackend* const backends[] = {&backend};
  TuneResult result = tune(backends, request, nullptr, {});
  if (result.best < 0) throw Error("The bench cannot run", "no plan could run", "");
  return result;
}

std::vector<Row> planQuickly(NufftBackend& backend, const Arguments& arguments) {
  std::vector<Row> rows;
  const std::vector<CpuCase> cases = cpuCases();
  for (const Wanted& w : wanted) {
    const auto c = std::find_if(cases.begin(), cases.end(),
                                [&](const CpuCase& known) { return known.name() == w.name; });
    if (c == cases.end()) throw Error("The bench cannot run", std::string(w.name) + " is no case", "");
    Row row{*c, w.adjoint, {}, {}};
    if (!arguments.wants(row.name())) continue;
    row.points = cpuPoints(row.c);
    row.quick = search(backend, row, arguments.threads, TuneEffort::measure);
    std::printf("%-48s default %s, %zu candidates in %.2f s\n", row.name().c_str(),
                describe(bestOf(row.quick)).c_str(), row.quick.candidates.size(), row.quick.seconds);
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
  return rows;
}

json compare(NufftBackend& backend, const Row& row, const Arguments& arguments) {
  const TuneResult whole = search(backend, row, arguments.threads, TuneEffort::exhaustive);
  const Candidate &first = bestOf(row.quick), &best = bestOf(whole);
  const NufftOptions plans[] = {first.options, best.options};
  constexpr int executions = 4;  // a round: two plans, both directions
  const int rounds = arguments.rounds > 0 ? arguments.rounds
                                          : std::clamp(int(raceSeconds / (executions * best.timings.total)),
                                                       fewestRounds, mostRounds);
  const auto runs = racePlans(row.c.problem, row.points, plans, rounds, {});
  const auto seconds = [&](const RaceRun& r) {
    return medianTimings(row.adjoint ? r.adjoint : r.forward).total;
  };
  const double ratio = seconds(runs[0]) / seconds(runs[1]);
  std::printf("%-48s default %.3f ms | exhaustive %s %.3f ms, %zu candidates in %.1f s | ratio %.3f\n",
              row.name().c_str(), seconds(runs[0]) * 1e3, describe(best).c_str(), seconds(runs[1]) * 1e3,
              whole.candidates.size(), whole.seconds, ratio);
  std::fflush(stdout);
  return {{"case", row.name()},
          {"default", describe(first)},
          {"exhaustive", describe(best)},
          {"rounds", rounds},
          {"default_seconds", seconds(runs[0])},
          {"exhaustive_seconds", seconds(runs[1])},
          {"ratio", ratio},
          {"default_planning_seconds", row.quick.seconds},
          {"exhaustive_planning_seconds", whole.seconds},
          {"share_of_planning_time", row.quick.seconds / whole.seconds},
          {"candidates", whole.candidates.size()}};
}

void run(const Arguments& arguments) {
  json report = machineReport();
  report.update({{"threads", arguments.threads}, {"cases", json::array()}, {"not_run", json::array()}});
  const auto backend = makeCpuBackend();
  const double start = now();
  Ratios ratios, planning;
  for (const Row& row : planQuickly(*backend, arguments)) {
    if (arguments.late(now() - start)) {
      report["not_run"].push_back(row.name());
      continue;
    }
    const json result = compare(*backend, row, arguments);
    report["cases"].push_back(result);
    ratios.add(row.name(), result["ratio"].get<double>());
    planning.add(row.name(), result["share_of_planning_time"].get<double>());
    report["summary"] = {{"default_over_exhaustive", ratios.json()},
                         {"share_of_planning_time", planning.json()}};
    report["bench_seconds"] = now() - start;
    save(arguments.json, report);
  }
  save(arguments.json, report);
  std::cout << report["summary"].dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  arguments.minutes = 4;
  return benchMain(
      argc, argv, "The tuner's default effort against an exhaustive search",
      [&](CLI::App& app) {
        arguments.add(app);
        app.add_option("--rounds", arguments.rounds, "Executions a plan; 0: by the time they take")
            ->check(CLI::NonNegativeNumber);
      },
      [&] {
        arguments.threads = arguments.threadCount();
        run(arguments);
      });
}
