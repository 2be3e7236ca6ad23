// Parallel efficiency of the CPU's transforms, forward and adjoint, with both schedulers, and what each part of the task
// graph gains (papers/multicore-nufft-task-graph, Figs 9, 11, 12): 3-D radial, Gaussian random and stack of spirals.
//
//   efficiency(T) = time of the fastest plan on one thread / (T x time on T threads)
//   ceiling: bytes that the stages have to move (StageTimings::bytes) over the copy bandwidth measured on T threads
//
// One command: bench_parallel --json FILE. All plans of a case run in turns; medians over the rounds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/nufft.h"
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

// One plan and what it took.
struct Run {
  std::string scheduler, off;
  int threads = 1;
  std::unique_ptr<Nufft<float>> plan;
  std::vector<StageTimings> adjoint, forward;
  double setPoints = 0;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double medianOf(const std::vector<StageTimings>& runs,
                const std::function<double(const StageTimings&)>& value) {
  std::vector<double> values;
  for (const StageTimings& t : runs) values.push_back(value(t));
  return median(values);
}

double total(const StageTimings& t) {
  return t.total;
}

// Bytes read and written a second by a copy that no cache holds.
double copyBandwidth(int threads) {
  constexpr std::int64_t count = std::int64_t{1} << 26;
  constexpr int repeats = 5;
  Buffer<float> from(count), to(count);
  const auto each = [&](const auto& body) { parallelFor(count, threads, count / (8 * threads), body); };
  each([&](std::int64_t b, std::int64_t e) {
    std::fill(from.begin() + b, from.begin() + e, 1.0F);
    std::fill(to.begin() + b, to.begin() + e, 0.0F);
  });
  std::vector<double> rates;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    each([&](std::int64_t b, std::int64_t e) {
      std::copy(from.begin() + b, from.begin() + e, to.begin() + b);
    });
    rates.push_back(2.0 * sizeof(float) * count / (now() - start));
  }
  return median(rates);
}

Run makeRun(const NufftProblem& problem, const std::vector<double>& points, const Arguments& arguments,
            SchedulerChoice scheduler, int threads) {
  NufftOptions options;
  options.accuracy = arguments.accuracy;
  options.alpha = arguments.alpha;
  options.threads = threads;
  options.scheduler = scheduler;
  Run run;
  run.scheduler = schedulerName(scheduler.kind);
  run.off = schedulerPartsText(scheduler.off);
  run.threads = threads;
  run.plan = makeCpuNufftFloat(problem, options);
  StageTimings timings;
  run.plan->setPoints(points, &timings);
  run.setPoints = timings.total;
  return run;
}

nlohmann::json rowOf(const Run& run, const Run& single, const Run& whole, double bandwidth) {
  nlohmann::json row{{"scheduler", run.scheduler},
                     {"without", run.off},
                     {"threads", run.threads},
                     {"plan", run.plan->info().description},
                     {"memory", run.plan->info().memory},
                     {"set_points_seconds", run.setPoints}};
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
                                               {"efficiency", alone / (run.threads * seconds)}};
    }
    row[name] = {{"seconds", time},
                 {"efficiency", one / (run.threads * time)},
                 {"ceiling_seconds", bytes / bandwidth},
                 {"stages", stages},
                 {"over_whole_graph", time / medianOf(whole.*member, total)}};
  };
  direction("adjoint", &Run::adjoint);
  direction("forward", &Run::forward);
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

  std::vector<Run> runs;
  for (const int threads : arguments.threads)
    for (const Scheduler kind : {Scheduler::tiles, Scheduler::graph})
      if (threads > 1 || kind == Scheduler::tiles)
        runs.push_back(makeRun(problem, points, arguments, {kind, 0, 0}, threads));
  const int most = arguments.threads.back();
  const std::size_t whole = runs.size() - 1;
  for (const SchedulerPart part : parts)
    if (most > 1)
      runs.push_back(makeRun(problem, points, arguments, {Scheduler::graph, unsigned(part), 0}, most));

  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<cfloat> samples(points.size() / 3), image(static_cast<std::size_t>(problem.pixels()));
  for (cfloat& v : samples) v = {normal(random), normal(random)};
  for (cfloat& v : image) v = {normal(random), normal(random)};
  for (int round = -1; round < arguments.rounds; ++round)  // the first warms up
    for (Run& run : runs) {
      Execution execution;
      StageTimings adjoint, forward;
      execution.timings = &adjoint;
      run.plan->adjoint(samples.data(), image.data(), execution);
      execution.timings = &forward;
      run.plan->forward(image.data(), samples.data(), execution);
      for (cfloat& v : samples) v = {v.real() > 0 ? 1.0F : -1.0F, 0.5F};  // what goes round must not grow
      if (round < 0) continue;
      run.adjoint.push_back(adjoint);
      run.forward.push_back(forward);
    }
  nlohmann::json rows = nlohmann::json::array();
  for (const Run& run : runs) {
    const auto at = std::find(arguments.threads.begin(), arguments.threads.end(), run.threads);
    rows.push_back(rowOf(run, runs.front(), runs[whole],
                         bandwidth[static_cast<std::size_t>(at - arguments.threads.begin())]));
    print(c.name, rows.back());
  }
  return {{"case", c.name}, {"points", samples.size()}, {"matrix", n}, {"rows", rows}};
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
  for (const int threads : arguments.threads) bandwidth.push_back(copyBandwidth(threads));
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
