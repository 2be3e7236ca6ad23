// Frames of a continuous golden-angle measurement, each of which brings new points: the time from a
// frame's samples in memory to its image in memory (median, 99 %, longest), by gridding, SENSE and
// NLINV (with the last frame as prior), on CPU and GPU.
//
//   bench_real_time [--matrix N...] [--frames N] [--spokes N...] [--coils N] [--compress N]
//                   [--methods NAME...] [--iterations N] [--newton N] [--module FILE] [--no-cpu]
//                   [--json FILE]
//
// NLINV in real time: --matrix 128 160 --spokes 15 21 --coils 10 --compress 8 --methods nlinv.
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

constexpr int breathShots = 200;

struct Arguments {
  std::vector<int> matrices{128, 256}, spokes{21};
  std::vector<std::string> methods{"gridding", "sense"};
  std::string module, json;
  int frames = 2000, coils = 10, compress = 0, iterations = 3, newton = 5;
  double framePrior = 0.9, motion = 10, noise = 0.02;  // motion: mm
  bool cpu = true;
};

// A window of `spokes` that moves on by one spoke a frame: no two frames have the same points.
std::shared_ptr<const Scan> movingScan(const Arguments& arguments, int n, int spokes) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = arguments.frames + spokes - 1;
  options.coils = arguments.coils;
  options.noise = arguments.noise;
  options.breathingMm = arguments.motion;
  options.breathShots = breathShots;
  const auto scan = std::make_shared<Scan>(*simulate(options, {}));
  ReadOptions read;
  read.overrides["sliding-window"] = std::to_string(spokes) + ",1";
  Decisions decisions(read, "Cannot make windows");
  slideWindow(*scan, "", decisions);
  return scan;
}

json rowOf(const std::string& backend, const std::string& method, int n, int spokes,
           const Reconstruction& result) {
  const FrameLatency latency = frameLatency(result);
  json row = {{"backend", backend},
              {"method", method},
              {"matrix", n},
              {"spokes", spokes},
              {"note", result.notes.empty() ? "" : result.notes.back()},
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
        app.add_option("--spokes", arguments.spokes, "Of a frame");
        app.add_option("--methods", arguments.methods, "gridding, sense, nlinv");
        app.add_option("--compress", arguments.compress, "Virtual coils; 0: all coils");
        app.add_option("--iterations", arguments.iterations, "Of SENSE")->capture_default_str();
        app.add_option("--newton", arguments.newton, "Steps of NLINV")->capture_default_str();
        app.add_option("--frame-prior", arguments.framePrior, "Share of the last frame")
            ->capture_default_str();
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
        report["coils"] = arguments.coils;
        report["threads"] = hardwareThreads();
        for (const int n : arguments.matrices)
          for (const int spokes : arguments.spokes) {
            const auto scan = movingScan(arguments, n, spokes);
            for (const auto& backend : backends)
              for (const std::string& method : arguments.methods) {
                ReconOptions options;
                setOption(options, "method", method);
                if (arguments.compress > 0)
                  setOption(options, "compress-coils", std::to_string(arguments.compress));
                if (method == "sense") options.iterative.solver.iterations = arguments.iterations;
                if (method == "nlinv") {
                  options.iterative.solver.iterations = arguments.newton;
                  options.iterative.solver.framePrior = arguments.framePrior;
                }
                Wisdom wisdom("");
                const Reconstruction result = reconstruct({backend.get()}, *scan, options, &wisdom, {});
                report["rows"].push_back(rowOf(backend->name(), method, n, spokes, result));
                std::printf("%s\n", report["rows"].back().dump().c_str());
                std::fflush(stdout);
              }
          }
        save(arguments.json, report);
      });
}
