// Frames of a continuous golden-angle measurement, each of which brings new points: the time from a
// frame's samples in memory to its image in memory (median, 99 %, longest), by gridding and by
// SENSE, on CPU and GPU.
//
//   bench_real_time [--matrix N...] [--frames N] [--spokes N] [--coils N] [--module FILE] [--no-cpu]
//                   [--json FILE]
#include <cstdio>
#include <memory>
#include <vector>

#include "engine/core/text.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/shots/sliding_window.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::vector<int> matrices{128, 256};
  std::string module, json;
  int frames = 2000, spokes = 21, coils = 10, iterations = 3;
  bool cpu = true;
};

// A window of `spokes` that moves on by one spoke a frame: no two frames have the same points.
std::shared_ptr<const Scan> movingScan(const Arguments& arguments, int n) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = arguments.frames + arguments.spokes - 1;
  options.coils = arguments.coils;
  const auto scan = std::make_shared<Scan>(*simulate(options, {}));
  ReadOptions read;
  read.overrides["sliding-window"] = std::to_string(arguments.spokes) + ",1";
  Decisions decisions(read, "Cannot make windows");
  slideWindow(*scan, "", decisions);
  return scan;
}

json rowOf(const std::string& backend, const std::string& method, int n, const Reconstruction& result) {
  const FrameLatency latency = frameLatency(result);
  json row = {{"backend", backend},
              {"method", method},
              {"matrix", n},
              {"frames", latency.count},
              {"median ms", latency.median * 1e3},
              {"p99 ms", latency.p99 * 1e3},
              {"longest ms", latency.longest * 1e3},
              {"plan", result.plan.description}};
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (result.account.seconds[s] > 0)
      row["seconds"][std::string(jobStageNames[s])] = result.account.seconds[s];
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Latency of frames in real time",
      [&](CLI::App& app) {
        app.add_option("--matrix", arguments.matrices, "Pixels an axis");
        app.add_option("--frames", arguments.frames, "Of a measurement")->capture_default_str();
        app.add_option("--spokes", arguments.spokes, "Of a frame")->capture_default_str();
        app.add_option("--coils", arguments.coils, "")->capture_default_str();
        app.add_option("--module", arguments.module, "The CUDA module; none: the CPU alone");
        app.add_flag("!--no-cpu", arguments.cpu, "The GPU alone");
        addJson(app, arguments.json);
      },
      [&] {
        json report = machineReport();
        std::vector<std::unique_ptr<Backend>> backends;
        if (!arguments.module.empty()) backends.push_back(loadCudaModule(arguments.module));
        if (arguments.cpu || arguments.module.empty()) backends.push_back(makeCpuBackend());
        if (!arguments.module.empty()) report["gpu"] = backends.front()->fingerprint();
        report["spokes"] = arguments.spokes;
        report["coils"] = arguments.coils;
        report["threads"] = hardwareThreads();
        for (const int n : arguments.matrices) {
          const auto scan = movingScan(arguments, n);
          for (const auto& backend : backends)
            for (const ReconMethod method : {ReconMethod::gridding, ReconMethod::sense}) {
              ReconOptions options;
              options.iterative.method = method;
              options.iterative.solver.iterations = arguments.iterations;
              Wisdom wisdom("");
              const Reconstruction result = reconstruct({backend.get()}, *scan, options, &wisdom, {});
              const char* name = method == ReconMethod::gridding ? "gridding" : "SENSE";
              report["rows"].push_back(rowOf(backend->name(), name, n, result));
              std::printf("%s\n", report["rows"].back().dump().c_str());
              std::fflush(stdout);
            }
        }
        save(arguments.json, report);
      });
}
