// The tuner's default choice on the GPU beside the best of an exhaustive search, on cases that are drawn from a seed:
// for executions alone, and for points set each time. Both plans are timed again in turns; device pointers, device time
// from events. Planning is wall time, by a cost model that knows nothing yet; the exhaustive search ends after so many
// seconds with what it has timed by then.
//
//   bench_gpu_tuner MODULE [--seed N] [--draws N] [--first N] [--seconds S] [--minutes N] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/error.h"
#include "engine/nufft/tune/cost_model.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/draws/draw_data.h"
#include "tests/bench/draws/draw_request.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, file;
  std::uint64_t seed = 1;
  int draws = 20, first = 0;
  double seconds = 5, minutes = 0;
};

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
    CostModel::shared().forget();
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
    row["execute"] = searched(backend, draw, data, manyTimes, a);
    row["set + execute"] = searched(backend, draw, data, once, a);
  } catch (const Error& error) {
    row["refused"] = error.reason();
  }
  return row;
}

// Geometric mean and worst of default over exhaustive, and the longest default planning.
json summarize(const json& rows) {
  json summary;
  double longest = 0;
  for (const char* const what : {"execute", "set + execute"}) {
    double logs = 0, worst = 0;
    int count = 0, worstDraw = 0;
    for (const json& row : rows) {
      if (!row.contains(what)) continue;
      const double ratio = row[what]["ratio"].get<double>();
      logs += std::log(ratio);
      ++count;
      longest = std::max(longest, row[what]["default"]["planning s"].get<double>());
      if (ratio > worst) worstDraw = row["draw"].get<int>();
      worst = std::max(worst, ratio);
    }
    if (count > 0)
      summary[what] = {{"draws", count},
                       {"geometric mean", std::exp(logs / count)},
                       {"worst", worst},
                       {"worst draw", worstDraw}};
  }
  summary["longest default planning s"] = longest;
  return summary;
}

void run(const Arguments& a) {
  const double begun = now();
  const auto backend = loadCudaModule(a.module);
  json report{{"device", backend->badge()},
              {"software", backend->fingerprint()},
              {"commit", versionCommit()},
              {"date", timeNow()},
              {"seed", a.seed},
              {"exhaustive search s", a.seconds},
              {"draws", json::array()}};
  for (int i = a.first; i < a.first + a.draws; ++i) {
    constexpr double secondsPerMinute = 60;
    if (a.minutes > 0 && now() - begun > secondsPerMinute * a.minutes) break;
    const Draw draw = DrawCase(a.seed, i).draw();
    json row = draw.c.problem.precision == Precision::dbl ? runDraw<double>(*backend, draw, a)
                                                          : runDraw<float>(*backend, draw, a);
    std::printf("%3d %-72s", i, draw.c.name.c_str());
    if (row.contains("refused")) std::printf(" refused: %s", row["refused"].get<std::string>().c_str());
    for (const char* const what : {"execute", "set + execute"})
      if (row.contains(what))
        std::printf(" | %s: %s %.3f ms, %s %.3f ms: %.3f", what,
                    row[what]["default"]["choice"].get<std::string>().c_str(),
                    row[what]["default"]["ms"].get<double>(),
                    row[what]["exhaustive"]["choice"].get<std::string>().c_str(),
                    row[what]["exhaustive"]["ms"].get<double>(), row[what]["ratio"].get<double>());
    std::printf("\n");
    std::fflush(stdout);
    report["draws"].push_back(std::move(row));
    report["default over exhaustive"] = summarize(report["draws"]);
    save(a.file, report);
  }
  std::cout << report["default over exhaustive"].dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  return benchMain(
      argc, argv,
      "The tuner's default choice on the GPU beside an exhaustive search, on cases drawn from a seed",
      [&](CLI::App& app) {
        app.add_option("module", a.module, "The CUDA module's file")->required();
        app.add_option("--seed", a.seed, "Of all draws")->capture_default_str();
        app.add_option("--draws", a.draws, "How many")->check(CLI::PositiveNumber)->capture_default_str();
        app.add_option("--first", a.first, "Number of the first")->check(CLI::NonNegativeNumber);
        app.add_option("--seconds", a.seconds, "After which an exhaustive search ends")
            ->capture_default_str();
        app.add_option("--minutes", a.minutes, "After which no draw is begun; 0: all are")
            ->capture_default_str();
        addJson(app, a.file);
      },
      [&] { run(a); });
}
