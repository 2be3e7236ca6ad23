// Parallel efficiency of the CPU's transforms, forward and adjoint, with both schedulers, and what
// each part of the task graph gains ([multicore-nufft] Figs 9, 11, 12): 3-D radial, Gaussian random
// and stack of spirals.
//
//   efficiency(T) = time of the fastest plan on one thread / (T x time on T threads)
//   ceiling: bytes that the stages have to move (StageTimings::bytes) over the copy bandwidth measured on T threads
//
// Each stage's time on T threads is taken apart, so that what bounds it can be read off:
//   ideal     a T-th of its time on one thread
//   clock     what the ideal grows by because more working cores run at a lower clock (registerRate)
//   waiting   threads that began late, waited for others, had nothing left, or stood by while one worked alone (PoolWork)
//   rest      caches, memory, and work that one thread does not have (private copies)
// Beside it the share of the copy bandwidth, and a T-th of what the stage takes in each of T
// one-thread plans that run side by side (racePlanCopies): what the machine gives where nobody
// waits.
//
// One command: bench_parallel --json FILE. All plans of a case run in turns; medians over the
// rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "engine/core/memory/memory_ceiling.h"
#include "engine/nufft/nufft.h"
#include "engine/profile/study/plan_race.h"
#include "engine/scan/simulate/trajectories.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/machine_limits.h"

using namespace spokelab;
using namespace spokelab::bench;

namespace {

struct Arguments {
  std::string filter, json;
  int matrix = 128, rounds = 9;
  double accuracy = 1e-3, alpha = 1.5;
  bool copies = true;  // one-thread plans side by side, which take a multiple of the memory
  std::vector<int> threads;
};

struct Case {
  std::string name;
  Pattern pattern;
};

const Case cases[] = {{"radial", Pattern::radial3d},
                      {"gaussian", Pattern::gaussian},
                      {"stack-of-spirals", Pattern::stackOfSpirals}};

constexpr SchedulerPart parts[] = {SchedulerPart::variable, SchedulerPart::graph, SchedulerPart::queue,
                                   SchedulerPart::copies, SchedulerPart::reorder};

// A plan of the race.
struct Entry {
  SchedulerChoice scheduler;
  int threads = 1;
};

// The machine's limits for a number of threads.
struct Limits {
  double bandwidth = 0;  // copied bytes a second
  double clock = 1;      // registerRate over one thread's
};

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

double sumOf(const std::array<double, stageCount>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// A stage's time on several threads and its parts. sideBySide: time of one of the one-thread plans
// side by side; 0: not measured.
nlohmann::json stageOf(const StageTimings& run, double alone, double sideBySide, std::size_t stage,
                       int threads, const Limits& limits) {
  // One thread may go without the pool.
  const double seconds = run.seconds[stage], parallel = threads > 1 ? run.parallel[stage] : seconds;
  const double worked = threads > 1 ? run.worked[stage] : seconds;
  const double ideal = alone / threads, clock = ideal * (1 / limits.clock - 1);
  const double idle = threads * parallel - worked + (threads - 1) * (seconds - parallel);
  const double waiting = std::max(0.0, idle / threads);
  nlohmann::json json{{"seconds", seconds},
                      {"efficiency", ideal / seconds},
                      {"ideal_seconds", ideal},
                      {"clock_seconds", clock},
                      {"waiting_seconds", waiting},
                      {"rest_seconds", seconds - ideal - clock - waiting},
                      {"serial_seconds", seconds - parallel},
                      {"bandwidth_share", run.bytes[stage] / limits.bandwidth / seconds}};
  if (sideBySide > 0) json["side_by_side_seconds"] = sideBySide / threads;
  return json;
}

// copies: of one-thread plans side by side; null: not measured.
nlohmann::json rowOf(const Entry& entry, const RaceRun& run, const RaceRun& single, const RaceRun& whole,
                     const CopiesRun* copies, const Limits& limits) {
  nlohmann::json row{
      {"scheduler", schedulerName(entry.scheduler.kind)},
      {"without", schedulerPartsText(entry.scheduler.off)},
      {"threads", entry.threads},
      {"plan", run.info.description},
      {"memory", run.info.memory},
      {"set_points_seconds", run.setPointsSeconds},
      {"set_points_efficiency", single.setPointsSeconds / (entry.threads * run.setPointsSeconds)}};
  const auto direction = [&](const char* name, const auto member, const StageTimings* sideBySide) {
    const StageTimings time = medianTimings(run.*member), one = medianTimings(single.*member);
    nlohmann::json stages;
    for (std::size_t s = 0; s < std::size_t(stageCount); ++s)
      if (time.seconds[s] > 0)
        stages[std::string(stageNames[s])] =
            stageOf(time, one.seconds[s], sideBySide ? sideBySide->seconds[s] : 0, s, entry.threads, limits);
    const double efficiency = one.total / (entry.threads * time.total);
    row[name] = {{"seconds", time.total},
                 {"efficiency", efficiency},
                 {"efficiency_at_one_clock", efficiency / limits.clock},
                 {"ceiling_seconds", sumOf(time.bytes) / limits.bandwidth},
                 {"stages", stages},
                 {"over_whole_graph", time.total / medianTimings(whole.*member).total}};
    if (sideBySide) row[name]["side_by_side_efficiency"] = one.total / sideBySide->total;
  };
  direction("adjoint", &RaceRun::adjoint, copies ? &copies->adjoint : nullptr);
  direction("forward", &RaceRun::forward, copies ? &copies->forward : nullptr);
  return row;
}

// Prints the time of a row by stage.
void printStages(const nlohmann::json& row) {
  for (const char* direction : {"adjoint", "forward"})
    for (const auto& [name, stage] : row[direction]["stages"].items()) {
      const auto milli = [&stage = stage](const char* what) { return 1e3 * stage.value(what, 0.0); };
      std::printf(
          "    %s %-12s %7.2f ms = ideal %.2f + clock %.2f + waiting %.2f (serial %.2f) + rest %.2f |",
          direction, name.c_str(), milli("seconds"), milli("ideal_seconds"), milli("clock_seconds"),
          milli("waiting_seconds"), milli("serial_seconds"), milli("rest_seconds"));
      std::printf(" %.0f %% of the bandwidth", 1e2 * stage["bandwidth_share"].get<double>());
      if (stage.contains("side_by_side_seconds"))
        std::printf(" | side by side %.2f ms", milli("side_by_side_seconds"));
      std::printf("\n");
    }
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
  if (row["without"].get<std::string>().empty() && row["threads"].get<int>() > 1) printStages(row);
  std::fflush(stdout);
}

nlohmann::json runCase(const Case& c, const Arguments& arguments, const std::vector<Limits>& limits) {
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
  // One thread twice, at both ends of a round: the faster counts, so that a disturbed one flatters
  // nobody.
  entries.push_back({{Scheduler::tiles, 0, 0}, 1});
  const std::vector<RaceRun> runs = race(problem, points, arguments, entries);
  const auto slower = [](const RaceRun& a, const RaceRun& b) {
    return medianTimings(a.adjoint).total + medianTimings(a.forward).total >
           medianTimings(b.adjoint).total + medianTimings(b.forward).total;
  };
  const RaceRun& single = slower(runs.front(), runs.back()) ? runs.back() : runs.front();
  CopiesRun copies;
  if (arguments.copies && most > 1) {
    NufftOptions options;
    options.accuracy = arguments.accuracy;
    options.alpha = arguments.alpha;
    copies = racePlanCopies(problem, points, options, most, arguments.rounds);
  }
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto at = std::find(arguments.threads.begin(), arguments.threads.end(), entries[i].threads);
    const bool beside = arguments.copies && most > 1 && entries[i].threads == most;
    rows.push_back(rowOf(entries[i], runs[i], single, runs[whole], beside ? &copies : nullptr,
                         limits[static_cast<std::size_t>(at - arguments.threads.begin())]));
    print(c.name, rows.back());
  }
  return {{"case", c.name}, {"points", points.size() / 3}, {"matrix", n}, {"rows", rows}};
}

std::vector<int> threadCounts(int most) {
  std::vector<int> counts;
  if (most > 0) return most > 1 ? std::vector{1, most} : std::vector{1};
  for (int t = 1; t < hardwareThreads(); t *= 2) counts.push_back(t);
  counts.push_back(hardwareThreads());
  return counts;
}

void run(const Arguments& arguments) {
  double load[3] = {};
  getloadavg(load, 3);
  std::vector<Limits> limits;
  std::vector<double> bandwidth, clocks;
  const double alone = registerRate(1);
  for (const int threads : arguments.threads) {
    limits.push_back({measureCopyCeiling(threads, {}).bytesPerSecond,
                      threads == 1 ? 1 : std::min(1.0, registerRate(threads) / alone)});
    bandwidth.push_back(limits.back().bandwidth);
    clocks.push_back(limits.back().clock);
    std::printf("%3d threads: copy %.1f GB/s, clock %.2f of one thread's\n", threads, 1e-9 * bandwidth.back(),
                clocks.back());
  }
  nlohmann::json result = machineReport();
  result.update({{"warm_up", "one round"},
                 {"rounds", arguments.rounds},
                 {"load_before", load[0]},
                 {"accuracy", arguments.accuracy},
                 {"alpha", arguments.alpha},
                 {"threads", arguments.threads},
                 {"copy_bytes_per_second", bandwidth},
                 {"clock_over_one_thread", clocks}});
  for (const Case& c : cases)
    if (c.name.find(arguments.filter) != std::string::npos) {
      result["cases"].push_back(runCase(c, arguments, limits));
      getloadavg(load, 3);
      result["load_after"] = load[0];
      save(arguments.json, result);
    }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  int most = 0;
  bool alone = false;
  return benchMain(
      argc, argv, "Parallel efficiency of the CPU's transforms, and what bounds it",
      [&](CLI::App& app) {
        app.add_option("--cases", arguments.filter, "Only cases whose name holds this");
        app.add_option("--matrix", arguments.matrix, "Pixels a side")->check(CLI::PositiveNumber);
        app.add_option("--rounds", arguments.rounds, "Executions a plan")->check(CLI::PositiveNumber);
        app.add_option("--accuracy", arguments.accuracy, "Asked of the plans")->check(CLI::PositiveNumber);
        app.add_option("--alpha", arguments.alpha, "Oversampling ratio")->check(CLI::PositiveNumber);
        app.add_option("--threads", most, "One and so many; 0: 1, 2, 4 ... all")
            ->check(CLI::NonNegativeNumber);
        app.add_flag("--no-side-by-side", alone, "Without one-thread plans side by side: they take memory");
        addJson(app, arguments.json);
      },
      [&] {
        arguments.threads = threadCounts(most);
        arguments.copies = !alone;
        run(arguments);
      });
}
