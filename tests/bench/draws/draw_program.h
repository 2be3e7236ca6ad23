// The benches of draws share the choice of draws, their order, the report's beginning, and the way
// through them.
//
// --order tells what the process did before a draw, which must not change the tuner's choice:
//   listed  the draws by their numbers, in one process
//   random  in random order, in one process
//   tiny    by their numbers, after 50 tiny problems were tuned
//   fresh   each in a new process
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <unistd.h>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/tune.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/draws/draw_case.h"

namespace spokelab::bench {

enum class DrawOrder { listed, random, tiny, fresh };

inline const std::map<std::string, DrawOrder> drawOrders{{"listed", DrawOrder::listed},
                                                         {"random", DrawOrder::random},
                                                         {"tiny", DrawOrder::tiny},
                                                         {"fresh", DrawOrder::fresh}};

struct DrawArguments {
  std::string module, json;
  std::uint64_t seed = 1;
  int draws, first = 0;
  double minutes = 0;
  DrawOrder order = DrawOrder::random;
  bool oursOnly = false;                 // nothing beside our plans: for orders after the first
  std::vector<std::string> commandLine;  // more options of a process that runs a draw alone
  DrawLimits limits = limitsOfGpu;

  explicit DrawArguments(int count) : draws(count) {}
  // isGpu: the module is named first.
  void add(CLI::App& app, bool isGpu = true) {
    if (isGpu) app.add_option("module", module, "The CUDA module's file")->required();
    app.add_option("--seed", seed, "Of all draws")->capture_default_str();
    app.add_option("--draws", draws, "How many")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--first", first, "Number of the first; with --draws 1 one draw is repeated")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--minutes", minutes, "After which no draw is begun; 0: all are")->capture_default_str();
    app.add_option("--order", order, "listed, random, tiny (after 50 tiny problems), fresh (a process each)")
        ->transform(CLI::CheckedTransformer(drawOrders))
        ->option_text("ORDER");
    app.add_flag("--ours-only", oursOnly, "Time our plans alone");
    addJson(app, json);
  }
  std::string orderName() const {
    for (const auto& [name, value] : drawOrders)
      if (value == order) return name;
    return {};
  }
};

inline nlohmann::json drawReport(const DrawArguments& a, const NufftBackend& backend,
                                 const std::string& device) {
  return {{"device", device},
          {"software", backend.fingerprint()},
          {"commit", versionCommit()},
          {"date", timeNow()},
          {"seed", a.seed},
          {"order", a.orderName()},
          {"draws", nlohmann::json::array()}};
}

// Tunes many tiny problems at the default effort: what a window or a session in Python may have
// done before.
inline void tuneTinyProblems(NufftBackend& backend, std::uint64_t seed) {
  constexpr int problems = 50;
  std::mt19937_64 random(seed);
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int i = 0; i < problems; ++i) {
    TuneRequest r;
    r.problem.dims = between(1, 3);
    for (int d = 0; d < r.problem.dims; ++d) r.problem.size[std::size_t(d)] = between(8, 32);
    r.problem.precision = between(0, 1) ? Precision::single : Precision::double64;
    std::vector<double> points;
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (int j = between(100, 3000) * r.problem.dims; j > 0; --j) points.push_back(uniform(random));
    r.points = points;
    r.options.accuracy = 1e-4;
    r.workload.direction = between(0, 1) ? Direction::forward : Direction::adjoint;
    r.workload.onDevice = backend.name() != "cpu";
    NufftBackend* const backends[] = {&backend};
    tune(backends, r, nullptr, {});
  }
}

// The row of one draw from a process that runs it alone.
inline nlohmann::json rowOfProcess(const DrawArguments& a, int number) {
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() /
                        ("spokelab-draw-" + std::to_string(::getpid()) + "-" + std::to_string(number));
  std::string command = "'" + fs::read_symlink("/proc/self/exe").string() + "'";
  if (!a.module.empty()) command += " '" + a.module + "'";
  command += " --order listed --draws 1 --first " + std::to_string(number) + " --seed " +
             std::to_string(a.seed) + (a.oursOnly ? " --ours-only" : "") + " --json '" + file.string() +
             "' >/dev/null";
  for (const std::string& more : a.commandLine) command += " '" + more + "'";
  const int status = std::system(command.c_str());
  nlohmann::json report;
  try {
    report = parseDocument(readDocument(file), "", "");
  } catch (const Error&) {  // it ended before it wrote one
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  if (!report.is_object() || report["draws"].empty())
    return {{"draw", number},
            {"case", DrawCase(a.seed, number, a.limits).draw().c.name},
            {"failed", "its process ended with status " + std::to_string(status)}};
  return report["draws"][0];
}

// Calls run(draw) -> row for each draw in the order that is asked for, and take(row); false: no
// more.
template <class Run, class Take>
void forEachDraw(const DrawArguments& a, NufftBackend& backend, Run&& run, Take&& take) {
  constexpr double secondsPerMinute = 60;
  const double begun = now();
  std::vector<int> numbers(static_cast<std::size_t>(a.draws));
  std::iota(numbers.begin(), numbers.end(), a.first);
  if (a.order == DrawOrder::random) {
    std::mt19937_64 random(a.seed);
    std::shuffle(numbers.begin(), numbers.end(), random);
  }
  if (a.order == DrawOrder::tiny) tuneTinyProblems(backend, a.seed);
  for (const int i : numbers) {
    if (a.minutes > 0 && now() - begun > secondsPerMinute * a.minutes) return;
    if (!take(a.order == DrawOrder::fresh ? rowOfProcess(a, i) : run(DrawCase(a.seed, i, a.limits).draw())))
      return;
  }
}

}  // namespace spokelab::bench
