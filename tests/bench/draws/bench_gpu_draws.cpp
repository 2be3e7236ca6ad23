// Cases that nobody chose: the GPU's transforms beside the peer's (cuFINUFFT, where it is compiled
// in), drawn from a seed. Ours are planned by the tuner at its default effort for the accuracy that
// was drawn, one plan for executions alone and one for points set each time; the peer runs with its
// defaults and with each of its methods at both upsampling factors. Device pointers, device time
// from events on one stream, warm, in turns: "execute" repeats a call with the same points (the
// fourth), "set + execute" sets points and executes once. Errors are measured at up to 4,096
// outputs of the last coil against exact sums, and ours is never larger than the peer's it is
// compared with, unless the accuracy cannot be reached. Planning is wall time from host points, by
// a cost model that knows what the process tuned before (--order). Ratios are the peer's time over
// ours.
//
//   bench_gpu_draws MODULE [--seed N] [--draws N] [--first N] [--minutes N] [--explore S]
//                   [--order listed|random|tiny|fresh] [--ours-only] [--json FILE]
#include <cmath>
#include <cstdio>
#include <map>

#include "tests/bench/draws/draw_program.h"
#include "tests/bench/draws/draw_run.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;

namespace {

struct Arguments : DrawArguments {
  DrawSettings settings;

  Arguments() : DrawArguments(60) {}
  void add(CLI::App& app) {
    DrawArguments::add(app);
    app.add_option("--explore", settings.exploreSeconds,
                   "Seconds of an exhaustive search where the peer is ahead; 0: none");
    app.add_option("--repeats", settings.maxRepeats, "Turns of a draw, at most")->check(CLI::PositiveNumber);
  }
};

json runDraw(Backend& backend, const Draw& draw, const DrawSettings& settings) {
  try {
    return draw.c.problem.precision == Precision::double64 ? DrawRun<double>(backend, draw, settings).run()
                                                           : DrawRun<float>(backend, draw, settings).run();
  } catch (const Error& error) {
    return {{"draw", draw.number}, {"case", draw.c.name}, {"refused", error.reason()}};
  } catch (const std::exception& error) {
    return {{"draw", draw.number}, {"case", draw.c.name}, {"failed", error.what()}};
  }
}

void print(const json& row) {
  std::printf("%3d %-72s", row["draw"].get<int>(), row["case"].get<std::string>().c_str());
  if (row.contains("refused")) std::printf(" refused: %s", row["refused"].get<std::string>().c_str());
  if (row.contains("failed")) std::printf(" failed: %s", row["failed"].get<std::string>().c_str());
  if (row.contains("ours"))
    for (const char* own : {"ours", "ours, set + execute"})
      std::printf(" %s: %.3f + %.3f ms %.1e,", row[own]["name"].get<std::string>().c_str(),
                  row[own]["set ms"].get<double>(), row[own]["execute ms"].get<double>(),
                  row[own]["error"].get<double>());
  if (row.contains("ours"))
    std::printf(" planned in %.2f s, at most %.2f of the error asked for", row["planning s"].get<double>(),
                row["error over asked"].get<double>());
  if (row.contains("finalist, execute")) {
    const json& peer = row["finalist, execute"];
    std::printf(" | %s: %.3f + %.3f ms %.1e ||", peer["name"].get<std::string>().c_str(),
                peer["set ms"].get<double>(), peer["execute ms"].get<double>(), peer["error"].get<double>());
  }
  if (row.contains("ratio"))
    for (const auto& [name, ratio] : row["ratio"].items())
      std::printf(" %s %.2f", name.c_str(), ratio.get<double>());
  if (row.contains("exhaustive"))
    std::printf(" | exhaustive %s gains %.2f", row["exhaustive"]["name"].get<std::string>().c_str(),
                row["exhaustive"]["gain"].get<double>());
  std::printf("\n");
  std::fflush(stdout);
}

// Geometric mean and worst of each ratio, and what did not keep its promise.
json summarize(const json& rows) {
  struct Ratios {
    double logs = 0, worst = HUGE_VAL;
    int count = 0, slower = 0, draw = 0;
  };
  std::map<std::string, Ratios> ratios;
  int slowPlanning = 0, inaccurate = 0, refused = 0, failed = 0;
  double longest = 0;
  for (const json& row : rows) {
    refused += row.contains("refused") ? 1 : 0;
    failed += row.contains("failed") ? 1 : 0;
    if (!row.contains("ours")) continue;
    const double planning = row["planning s"].get<double>();
    longest = std::max(longest, planning);
    slowPlanning += planning > slowPlanningSeconds ? 1 : 0;
    inaccurate += row["error over asked"].get<double>() > 1 ? 1 : 0;
    if (!row.contains("ratio")) continue;
    for (const auto& [name, value] : row["ratio"].items()) {
      const double v = value.get<double>();
      Ratios& r = ratios[name];
      r.logs += std::log(v);
      r.slower += v < 1 ? 1 : 0;
      ++r.count;
      if (v >= r.worst) continue;
      r.worst = v;
      r.draw = row["draw"].get<int>();
    }
  }
  json summary{{"draws", rows.size()},
               {"refused", refused},
               {"failed", failed},
               {"planning over 1 s", slowPlanning},
               {"longest planning s", longest},
               {"error above what was asked", inaccurate}};
  for (const auto& [name, r] : ratios)
    summary["peer over ours"][name] = {{"geometric mean", std::exp(r.logs / r.count)},
                                       {"worst", r.worst},
                                       {"worst draw", r.draw},
                                       {"below 1", r.slower},
                                       {"draws", r.count}};
  return summary;
}

void run(const Arguments& a) {
  const auto backend = loadCudaModule(a.module);
  json report = drawReport(a, *backend, backend->badge());
  report["peer"] = a.oursOnly ? "not run" : peerName;
  std::printf("%s, spokelab %s, peer %s, seed %llu, order %s\n", backend->badge().c_str(), versionText(),
              peerName, static_cast<unsigned long long>(a.seed), a.orderName().c_str());
  DrawSettings settings = a.settings;
  settings.oursOnly = a.oursOnly;
  forEachDraw(
      a, *backend,
      [&](const Draw& draw) {
        const double start = now();
        json row = runDraw(*backend, draw, settings);
        row["seconds"] = now() - start;
        return row;
      },
      [&](json row) {
        print(row);
        report["draws"].push_back(std::move(row));
        report["summary"] = summarize(report["draws"]);
        save(a.json, report);
        // A device that failed runs nothing more.
        return a.order == DrawOrder::fresh || !report["draws"].back().contains("failed");
      });
  std::printf("%s\n", report["summary"].dump(1).c_str());
  if (const int inaccurate = report["summary"]["error above what was asked"].get<int>())
    throw std::runtime_error(std::to_string(inaccurate) + " of the draws err more than was asked for");
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "The GPU's transforms beside the peer's, in cases drawn from a seed",
      [&](CLI::App& app) { arguments.add(app); }, [&] { run(arguments); });
}
