// Coils together against one by one: executions of plans whose images lie side by side, in turns
// with plans that transform them one after the other (CpuPlanDesign::together); the same alpha and
// width for both. 2-D and 3-D, 4 to 12 coils, one thread and all; spreading and interpolation in
// blocks, and as products with sparse matrices.
//
//   bench_coils [--rounds N] [--json FILE]
#include <cstdio>

#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/profile/study/plan_race.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/cpu_cases.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Size {
  int dims, n;
  const char* pattern;
  double acceleration = 1;
  Method method = Method::blocked;
  std::vector<int> coils = {8, 12};

  std::string name(const std::string& of) const { return of + (method == Method::sparse ? " sparse" : ""); }
};

const std::vector<Size>& sizes() {
  static const std::vector<Size> all = {{2, 256, "radial"},
                                        {2, 512, "random"},
                                        {3, 64, "radial3d"},
                                        {3, 96, "radial3d"},
                                        {3, 200, "radial3d", 16, Method::blocked, {4}},
                                        {2, 256, "radial", 1, Method::sparse},
                                        {3, 64, "radial3d", 4, Method::sparse}};
  return all;
}
constexpr double alpha = 1.5;

json run(const Size& size, int coils, int threads, double accuracy, int rounds) {
  CpuCase c;
  c.problem.dims = size.dims;
  c.problem.size = {size.n, size.n, size.dims == 3 ? size.n : 1};
  c.problem.batch = coils;
  c.pattern = size.pattern;
  c.acceleration = size.acceleration;
  c.tolerance = accuracy;
  NufftOptions plans[2];
  for (const int together : {1, interleavedImages}) {
    NufftOptions& o = plans[together > 1];
    o.accuracy = accuracy;
    o.alpha = alpha;
    o.threads = threads;
    o.interleave = together;
    o.spread = o.interpolate = size.method;
  }
  const auto runs = racePlans(c.problem, cpuPoints(c), plans, rounds, {});
  const StageTimings adjoint[] = {medianTimings(runs[0].adjoint), medianTimings(runs[1].adjoint)},
                     forward[] = {medianTimings(runs[0].forward), medianTimings(runs[1].forward)};
  const auto faster = [](double one, double four) { return one / four; };
  json row{{"case", size.name(c.name())},
           {"coils", coils},
           {"threads", threads},
           {"width", runs[0].info.options.width},
           {"adjoint_ms", {1e3 * adjoint[0].total, 1e3 * adjoint[1].total}},
           {"forward_ms", {1e3 * forward[0].total, 1e3 * forward[1].total}},
           {"adjoint_faster", faster(adjoint[0].total, adjoint[1].total)},
           {"spread_faster", faster(adjoint[0][Stage::spread], adjoint[1][Stage::spread])},
           {"forward_faster", faster(forward[0].total, forward[1].total)},
           {"interpolate_faster", faster(forward[0][Stage::interpolate], forward[1][Stage::interpolate])}};
  std::printf(
      "%-42s %2d coils %2d threads | adjoint %8.2f -> %8.2f ms (x %.2f, spread x %.2f) | forward %8.2f -> "
      "%8.2f ms (x %.2f, interpolate x %.2f)\n",
      size.name(c.name()).c_str(), coils, threads, 1e3 * adjoint[0].total, 1e3 * adjoint[1].total,
      row["adjoint_faster"].get<double>(), row["spread_faster"].get<double>(), 1e3 * forward[0].total,
      1e3 * forward[1].total, row["forward_faster"].get<double>(), row["interpolate_faster"].get<double>());
  std::fflush(stdout);
  return row;
}

void runAll(int rounds, const std::string& filter, const std::string& file) {
  json report = machineReport();
  report.update({{"rounds", rounds},
                 {"alpha", alpha},
                 {"images_together", interleavedImages},
                 {"rows", json::array()}});
  std::vector<int> threadCounts{1};
  if (hardwareThreads() > 1) threadCounts.push_back(hardwareThreads());
  for (const Size& size : sizes()) {
    if (std::string(size.name(size.pattern)).find(filter) == std::string::npos) continue;
    for (const int coils : size.coils)
      for (const int threads : threadCounts) {
        report["rows"].push_back(run(size, coils, threads, 1e-3, rounds));
        save(file, report);
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 9;
  std::string filter, file;
  return benchMain(
      argc, argv, "Coils together against one by one",
      [&](CLI::App& app) {
        app.add_option("--rounds", rounds, "Executions a plan")->check(CLI::PositiveNumber);
        app.add_option("--patterns", filter,
                       "Only those whose pattern, with \"sparse\" behind it, holds this");
        addJson(app, file);
      },
      [&] { runAll(rounds, filter, file); });
}
