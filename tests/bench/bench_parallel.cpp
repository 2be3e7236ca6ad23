// Parallel efficiency of the CPU's transforms, forward and adjoint, with both schedulers, and what each part of the task
// graph gains (papers/multicore-nufft-task-graph, Figs 9, 11, 12): 3-D radial, Gaussian random and stack of spirals.
//
//   efficiency(T) = time of the fastest plan on one thread / (T x time on T threads)
//   ceiling: bytes that the stages have to move (StageTimings::bytes) over the copy bandwidth measured on T threads
//
// One command: bench_parallel --json FILE. All plans of a case run in turns; medians over the rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/memory_ceiling.h"
#include "engine/nufft/nufft.h"
#include "engine/profile/plan_race.h"
#include "engine/profile/results.h"
#include "engine/scan/generate.h"

using namespace spokelab;

namespace {

struct Arguments {
  std::string filter, json;
  int matrix = 128, rounds = 9;
  double accuracy = 1e-3, alpha = 1.5;
  std::vector<int> threads;  // empty: 1, 2, 4 ... and all
};

struct Case {
  std::string name;
  Pattern pattern;
};

const Case cases[] = {{"radial", Pattern::radial3d},
                      {"gaussian", Pattern::gaussian},
                      {"stack-of-spirals", Pattern::stackOfSpirals}};

constexpr SchedulerPart parts[] = {SchedulerPart::variable, SchedulerPart::graph, SchedulerPart::queue,
                                   SchedulerPart::privatise, SchedulerPart::reorder};

// A plan of the race.
struct Entry {
  SchedulerChoice scheduler;
  int threads = 1;
};

double total(const StageTimings& t) {
  return t.total;
}

std::vector<RaceRun> race(const NufftProblem& problem, const std::vector<double>& points,
                          const Arguments& arguments, const std::vector<Entry>& entries) {
  std::vector<NufftOptions> plans;
  for (const Entry& e : entries) {
    plans.emplace_back();
    plans.back().accuracy = arguments.accuracy;
    plans.back().alpha = arguments.alpha;
    plans.back().threads = e.threads;
    plans.back().scheduler = e.scheduler;
  }
  return racePlans(problem, points, plans, arguments.rounds, {});
}

nlohmann::json rowOf(const Entry& entry, const RaceRun& run, const RaceRun& single, const RaceRun& whole,
                     double bandwidth) {
  nlohmann::json row{{"scheduler", schedulerName(entry.scheduler.kind)},
                     {"without", schedulerPartsText(entry.scheduler.off)},
                     {"threads", entry.threads},
                     {"plan", run.info.description},
                     {"memory", run.info.memory},
                     {"set_points_seconds", run.setPointsSeconds}};
  const auto direction = [&](const char* name, const auto member) {
    const double time = medianOf(run.*member, total), one = medianOf(single.*member, total);
    const double bytes = medianOf(run.*member, [](const StageTimings& t) {
      double sum = 0;
      for (const double b : t.bytes) sum += b;
      return sum;
    });
    nlohmann::json stages;
    for (int s = 0; s < stageCount; ++s) {
      const auto at = static_cast<std::size_t>(s);
      const auto stage = [at](const StageTimings& t) { return t.seconds[at]; };
      const double seconds = medianOf(run.*member, stage), alone = medianOf(single.*member, stage);
      if (seconds > 0)
        stages[std::string(stageNames[at])] = {{"seconds", seconds},
                                               {"efficiency", alone / (entry.threads * seconds)}};
    }
    row[name] = {{"seconds", time},
                 {"efficiency", one / (entry.threads * time)},
                 {"ceiling_seconds", bytes / bandwidth},
                 {"stages", stages},
                 {"over_whole_graph", time / medianOf(whole.*member, total)}};
  };
  direction("adjoint", &RaceRun::adjoint);
  direction("forward", &RaceRun::forward);
  return row;
}

void print(const std::string& name, const nlohmann::json& row) {
  std::printf(
      "%-17s %-6s %-9s %3d threads | adjoint %8.2f ms %5.1f %% (spread %5.1f %%) | forward %8.2f ms %5.1f "
      "%%\n",
      name.c_str(), row["scheduler"].get<std::string>().c_str(), row["without"].get<std::string>().c_str(),
      row["threads"].get<int>(), 1e3 * row["adjoint"]["seconds"].get<double>(),
      1e2 * row["adjoint"]["efficiency"].get<double>(),
      1e2 * row["adjoint"]["stages"]["spread"]["efficiency"].get<double>(),
      1e3 * row["forward"]["seconds"].get<double>(), 1e2 * row["forward"]["efficiency"].get<double>());
  std::fflush(stdout);
}

nlohmann::json runCase(const Case& c, const Arguments& arguments, const std::vector<double>& bandwidth) {
  const std::int64_t n = arguments.matrix;
  TrajectoryOptions trajectory;
  trajectory.pattern = c.pattern;
  trajectory.matrix = {n, n, n};
  const Trajectory generated = generateTrajectory(trajectory);
  std::vector<double> points(generated.points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = generated.points[i] / static_cast<double>(n);
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {n, n, n};
  problem.precision = Precision::single;

  std::vector<Entry> entries;
  for (const int threads : arguments.threads)
    for (const Scheduler kind : {Scheduler::tiles, Scheduler::graph})
      if (threads > 1 || kind == Scheduler::tiles) entries.push_back({{kind, 0, 0}, threads});
  const int most = arguments.threads.back();
  const std::size_t whole = entries.size() - 1;
  for (const SchedulerPart part : parts)
    if (most > 1) entries.push_back({{Scheduler::graph, unsigned(part), 0}, most});
  const std::vector<RaceRun> runs = race(problem, points, arguments, entries);
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto at = std::find(arguments.threads.begin(), arguments.threads.end(), entries[i].threads);
    rows.push_back(rowOf(entries[i], runs[i], runs.front(), runs[whole],
                         bandwidth[static_cast<std::size_t>(at - arguments.threads.begin())]));
    print(c.name, rows.back());
  }
  return {{"case", c.name}, {"points", points.size() / 3}, {"matrix", n}, {"rows", rows}};
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (value.empty()) throw Error("Unknown argument", name, "Give each argument a value");
    if (name == "--cases")
      arguments.filter = value;
    else if (name == "--json")
      arguments.json = value;
    else if (name == "--matrix")
      arguments.matrix = std::stoi(value);
    else if (name == "--rounds")
      arguments.rounds = std::stoi(value);
    else if (name == "--accuracy")
      arguments.accuracy = std::stod(value);
    else if (name == "--alpha")
      arguments.alpha = std::stod(value);
    else if (name == "--threads")
      arguments.threads = {1, std::stoi(value)};
    else
      throw Error(
          "Unknown argument", name,
          "Use --cases TEXT, --matrix N, --rounds N, --accuracy E, --alpha A, --threads T, --json FILE");
  }
  if (arguments.threads.empty())
    for (int t = 1; t <= hardwareThreads(); t *= 2) arguments.threads.push_back(t);
  if (arguments.threads.back() < hardwareThreads() && arguments.threads.size() > 2)
    arguments.threads.push_back(hardwareThreads());
  if (arguments.threads.back() == 1) arguments.threads = {1};
  return arguments;
}

void run(const Arguments& arguments) {
  double load[3] = {};
  getloadavg(load, 3);
  std::vector<double> bandwidth;
  for (const int threads : arguments.threads)
    bandwidth.push_back(measureCopyCeiling(threads, {}).bytesPerSecond);
  nlohmann::json result{{"device", cpuBadge()},
                        {"fingerprint", cpuFingerprint()},
                        {"date", timeNow()},
                        {"version", versionText()},
                        {"warm_up", "one round"},
                        {"rounds", arguments.rounds},
                        {"load_before", load[0]},
                        {"accuracy", arguments.accuracy},
                        {"alpha", arguments.alpha},
                        {"threads", arguments.threads},
                        {"copy_bytes_per_second", bandwidth}};
  for (const Case& c : cases)
    if (c.name.find(arguments.filter) != std::string::npos)
      result["cases"].push_back(runCase(c, arguments, bandwidth));
  getloadavg(load, 3);
  result["load_after"] = load[0];
  if (!arguments.json.empty()) std::ofstream(arguments.json) << result.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
