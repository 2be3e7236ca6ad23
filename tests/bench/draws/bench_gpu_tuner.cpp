// The tuner's default choice on the GPU beside the best of an exhaustive search, on cases that are
// drawn from a seed: for executions alone, and for points set each time. Both plans are timed again
// in turns; device pointers, device time from events. Planning is wall time, by a cost model that
// knows what the process tuned before (--order); the exhaustive search ends after --seconds with
// the plans it has timed by then.
//
//   bench_gpu_tuner MODULE [--seed N] [--draws N] [--first N] [--seconds S] [--minutes N]
//                   [--order listed|random|tiny|fresh] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/error.h"
#include "tests/bench/draws/draw_data.h"
#include "tests/bench/draws/draw_program.h"
#include "tests/bench/draws/draw_request.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments : DrawArguments {
  double seconds = 5;

  Arguments() : DrawArguments(20) {}
  void add(CLI::App& app) {
    DrawArguments::add(app);
    app.add_option("--seconds", seconds, "After which an exhaustive search ends")->capture_default_str();
  }
};

// Executions alone, and points set for each.
constexpr const char* workloads[] = {"execute", "set + execute"};
constexpr int minTurns = 7, maxTurns = 40;
constexpr double secondsOfTurns = 0.2;

template <class Real>
struct Choice {
  TuneResult result;
  std::unique_ptr<Nufft<Real>> plan;
  Contender contender;
};

template <class Real>
json searched(Backend& backend, const Draw& draw, const DrawData<Real>& data, double executions,
              const Arguments& a) {
  NufftBackend* const backends[] = {&backend};
  TuneRequest request = drawRequest(draw, data.points(), draw.c.accuracy, executions);
  Choice<Real> choices[2];
  for (Choice<Real>& c : choices) {
    c.result = tune(backends, request, nullptr, {});
    c.plan = backend.plan<Real>(draw.c.problem, c.result.candidates[std::size_t(c.result.best)].options);
    c.contender = contenderOf(*c.plan, data.arrays());
    c.contender.time();
    c.contender.error = data.error();
    request.effort = TuneEffort::exhaustive;
    request.timeLimit = a.seconds;
  }
  const double round = choices[0].contender.turnMedian() + choices[1].contender.turnMedian();
  const int turns = std::clamp(int(secondsOfTurns / round), minTurns, maxTurns);
  for (Choice<Real>& c : choices) c.contender.forgetTimes();
  for (int i = 0; i < turns; ++i)
    for (Choice<Real>& c : choices) c.contender.time();
  const auto seconds = [&](const Contender& c) {
    return executions == once ? c.wholeMedian() : c.runMedian();
  };
  json row{{"turns", turns}, {"ratio", seconds(choices[0].contender) / seconds(choices[1].contender)}};
  const char* const names[] = {"default", "exhaustive"};
  for (int i = 0; i < 2; ++i) {
    const Choice<Real>& c = choices[i];
    row[names[i]] = {{"choice", c.contender.name},
                     {"plan", c.plan->info().description},
                     {"ms", seconds(c.contender) * 1e3},
                     {"error", c.contender.error},
                     {"candidates", c.result.candidates.size()},
                     {"planning s", c.result.seconds}};
  }
  return row;
}

template <class Real>
json runDraw(Backend& backend, const Draw& draw, const Arguments& a) {
  const DrawData<Real> data(draw);
  json row{
      {"draw", draw.number}, {"case", draw.c.name}, {"points", data.count()}, {"accuracy", draw.c.accuracy}};
  try {
    row[workloads[0]] = searched(backend, draw, data, manyTimes, a);
    row[workloads[1]] = searched(backend, draw, data, once, a);
  } catch (const Error& error) {
    row["refused"] = error.reason();
  }
  return row;
}

void print(const json& row) {
  std::printf("%3d %-72s", row["draw"].get<int>(), row["case"].get<std::string>().c_str());
  for (const char* const why : {"refused", "failed"})
    if (row.contains(why)) std::printf(" %s: %s", why, row[why].get<std::string>().c_str());
  for (const char* const what : workloads)
    if (row.contains(what))
      std::printf(" | %s: %s %.3f ms, %s %.3f ms: %.3f", what,
                  row[what]["default"]["choice"].get<std::string>().c_str(),
                  row[what]["default"]["ms"].get<double>(),
                  row[what]["exhaustive"]["choice"].get<std::string>().c_str(),
                  row[what]["exhaustive"]["ms"].get<double>(), row[what]["ratio"].get<double>());
  std::printf("\n");
  std::fflush(stdout);
}

void run(const Arguments& a) {
  const auto backend = loadCudaModule(a.module);
  json report = drawReport(a, *backend, backend->badge());
  report["exhaustive search s"] = a.seconds;
  Ratios ratios[std::size(workloads)];
  double longest = 0, largest = 0;  // planning at the default effort; a choice's error over that asked for
  const auto run = [&](const Draw& draw) {
    return draw.c.problem.precision == Precision::double64 ? runDraw<double>(*backend, draw, a)
                                                           : runDraw<float>(*backend, draw, a);
  };
  forEachDraw(a, *backend, run, [&](json row) {
    print(row);
    json& summary = report["default over exhaustive"];
    for (std::size_t i = 0; i < std::size(workloads); ++i) {
      if (!row.contains(workloads[i])) continue;
      const json& found = row[workloads[i]];
      ratios[i].add(row["case"].get<std::string>(), found["ratio"].get<double>());
      longest = std::max(longest, found["default"]["planning s"].get<double>());
      for (const char* const choice : {"default", "exhaustive"})
        largest = std::max(largest, found[choice]["error"].get<double>() / row["accuracy"].get<double>());
      summary[workloads[i]] = ratios[i].json();
    }
    summary["longest default planning s"] = longest;
    summary["largest error over asked"] = largest;
    report["draws"].push_back(std::move(row));
    save(a.json, report);
    return true;
  });
  std::cout << report["default over exhaustive"].dump(1) << "\n";
  if (largest > 1) throw std::runtime_error("A choice errs more than was asked for");
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv,
      "The tuner's default choice on the GPU beside an exhaustive search, on cases drawn from a seed",
      [&](CLI::App& app) { arguments.add(app); }, [&] { run(arguments); });
}
