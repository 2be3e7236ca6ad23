// The tuner's default effort on the CPU beside the best of an exhaustive search, both timed again in turns, one direction
// at a time; planning times are wall time. bench_gpu_tuner.cpp is the same for the GPU, with device time.
//
//   bench_cpu_tuner [--cases TEXT] [--threads N] [--rounds N] [--minutes M] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/candidates.h"
#include "engine/profile/plan_race.h"
#include "engine/profile/results.h"
#include "engine/recon/backend.h"
#include "tests/bench/cpu_cases.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string filter, json;
  int threads = 0, rounds = 15;
  double minutes = 0;  // after which no case is begun; 0: all
};

// Of cpuCases(): one of each kind that a search of all candidates gets through.
constexpr const char* wanted[] = {
    "512^2 radial R 1 float 1e-03",         "512^2 random R 1 float 1e-05",
    "512^2 radial R 1 double 1e-06",        "126^3 radial3d R 16 float 1e-03",
    "126^3 clustered R 4 float 1e-03",      "126^3 radial3d R 4 float 1e-02",
    "126^3 stack-of-stars R 4 float 1e-05", "126^3 stack-of-stars R 16 double 1e-06"};

TuneResult search(NufftBackend& backend, TuneRequest request, TuneEffort effort) {
  request.effort = effort;
  NufftBackend* const backends[] = {&backend};
  TuneResult result = tune(backends, request, nullptr, {});
  if (result.best < 0) throw Error("The bench cannot run", "no plan could run", "");
  return result;
}

json run(NufftBackend& backend, const CpuCase& c, bool adjoint, const Arguments& arguments) {
  const std::vector<double> points = cpuPoints(c);
  TuneRequest request;
  request.problem = c.problem;
  request.points = points;
  request.options.accuracy = c.tolerance;
  request.options.threads = arguments.threads;
  request.direction = adjoint ? Direction::adjoint : Direction::forward;
  const TuneResult quick = search(backend, request, TuneEffort::measure),
                   whole = search(backend, request, TuneEffort::exhaustive);
  const Candidate &first = quick.candidates[std::size_t(quick.best)],
                  &best = whole.candidates[std::size_t(whole.best)];
  const NufftOptions plans[] = {first.options, best.options};
  const auto runs = racePlans(c.problem, points, plans, arguments.rounds, {});
  const auto seconds = [&](const RaceRun& r) { return medianTimings(adjoint ? r.adjoint : r.forward).total; };
  const double ratio = seconds(runs[0]) / seconds(runs[1]);
  const std::string name = c.name() + (adjoint ? " type 1" : " type 2");
  std::printf(
      "%-48s default %s %.3f ms, planned in %.2f s | exhaustive %s %.3f ms, %zu candidates, %.1f s | %.3f\n",
      name.c_str(), describe(first).c_str(), seconds(runs[0]) * 1e3, quick.seconds, describe(best).c_str(),
      seconds(runs[1]) * 1e3, whole.candidates.size(), whole.seconds, ratio);
  std::fflush(stdout);
  return {{"case", name},
          {"default", describe(first)},
          {"exhaustive", describe(best)},
          {"default_seconds", seconds(runs[0])},
          {"exhaustive_seconds", seconds(runs[1])},
          {"ratio", ratio},
          {"default_planning_seconds", quick.seconds},
          {"exhaustive_planning_seconds", whole.seconds},
          {"candidates", whole.candidates.size()}};
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--cases")
      arguments.filter = value;
    else if (name == "--json")
      arguments.json = value;
    else if (name == "--threads")
      arguments.threads = std::stoi(value);
    else if (name == "--rounds")
      arguments.rounds = std::stoi(value);
    else if (name == "--minutes")
      arguments.minutes = std::stod(value);
    else
      throw Error("Unknown argument", name,
                  "Use --cases TEXT, --threads N, --rounds N, --minutes M, --json FILE");
  }
  if (arguments.threads <= 0) arguments.threads = hardwareThreads();
  return arguments;
}

void runAll(const Arguments& arguments) {
  json report{{"device", cpuBadge()},     {"fingerprint", cpuFingerprint()}, {"date", timeNow()},
              {"version", versionText()}, {"threads", arguments.threads},    {"rounds", arguments.rounds},
              {"cases", json::array()}};
  const auto backend = makeCpuBackend();
  const double start = now();
  double logs = 0, worst = 0, planning = 0;
  for (const CpuCase& c : cpuCases()) {
    const bool chosen = std::find(std::begin(wanted), std::end(wanted), c.name()) != std::end(wanted);
    if (!chosen || c.name().find(arguments.filter) == std::string::npos) continue;
    for (const bool adjoint : {true, false}) {
      if (arguments.minutes > 0 && now() - start > 60 * arguments.minutes) continue;
      const json row = run(*backend, c, adjoint, arguments);
      report["cases"].push_back(row);
      logs += std::log(row["ratio"].get<double>());
      worst = std::max(worst, row["ratio"].get<double>());
      planning = std::max(planning, row["default_planning_seconds"].get<double>() /
                                        row["exhaustive_planning_seconds"].get<double>());
      report["summary"] = {{"geometric_mean_ratio", std::exp(logs / double(report["cases"].size()))},
                           {"worst_ratio", worst},
                           {"largest_share_of_planning_time", planning}};
      if (!arguments.json.empty()) std::ofstream(arguments.json) << report.dump(1) << "\n";
    }
  }
  std::cout << report["summary"].dump() << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    runAll(parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
