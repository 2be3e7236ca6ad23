// What the benches of draws have in common: which draws, the report's beginning, and the way through them.
#pragma once

#include "tests/bench/bench_program.h"
#include "tests/bench/draws/draw_case.h"
#include "tests/bench/gpu_module.h"

namespace spokelab::bench {

struct DrawArguments {
  std::string module, json;
  std::uint64_t seed = 1;
  int draws, first = 0;
  double minutes = 0;

  explicit DrawArguments(int count) : draws(count) {}
  void add(CLI::App& app) {
    app.add_option("module", module, "The CUDA module's file")->required();
    app.add_option("--seed", seed, "Of all draws")->capture_default_str();
    app.add_option("--draws", draws, "How many")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--first", first, "Number of the first; with --draws 1 one draw is repeated")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--minutes", minutes, "After which no draw is begun; 0: all are")->capture_default_str();
    addJson(app, json);
  }
};

inline nlohmann::json drawReport(const DrawArguments& a, const Backend& backend) {
  return {{"device", backend.badge()},
          {"software", backend.fingerprint()},
          {"commit", versionCommit()},
          {"date", timeNow()},
          {"seed", a.seed},
          {"draws", nlohmann::json::array()}};
}

// Calls run(draw) for each; false: no more.
template <class Run>
void forEachDraw(const DrawArguments& a, Run&& run) {
  constexpr double secondsPerMinute = 60;
  const double begun = now();
  for (int i = a.first; i < a.first + a.draws; ++i) {
    if (a.minutes > 0 && now() - begun > secondsPerMinute * a.minutes) return;
    if (!run(DrawCase(a.seed, i).draw())) return;
  }
}

}  // namespace spokelab::bench
