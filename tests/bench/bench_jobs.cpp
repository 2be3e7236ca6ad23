// Whole SENSE jobs, from the samples in memory to the image in memory, on CPU and GPU: coil maps by
// ESPIRiT estimated from the scan, wisdom warm, medians of the time and of each part of its
// account. Scans from files, and simulated 3-D radial ones.
//
// With --spans one more job is traced: the seconds of all its parts, and of the device's stages,
// for which every call of the device then waits.
//
//   bench_jobs [SCAN...] [--volumes N...] [--module FILE] [--rounds N] [--spans] [--json FILE]
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/core/measure/trace.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::vector<std::string> scans;
  std::vector<int> volumes;
  std::string module, json;
  int rounds = 5, iterations2d = 20, iterations3d = 10, coils = 8;
  double acceleration = 4;
  bool cpu = true, spans = false;
};

std::shared_ptr<const Scan> simulated(const Arguments& arguments, int n) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::radial3d;
  options.trajectory.matrix = {n, n, n};
  options.trajectory.acceleration = arguments.acceleration;
  options.coils = arguments.coils;
  return simulate(options, {});
}

class JobBench {
 public:
  explicit JobBench(const Arguments& arguments) : arguments_(arguments) {
    if (!arguments.module.empty()) backends_.push_back(loadCudaModule(arguments.module));
    if (arguments.cpu) backends_.push_back(makeCpuBackend());
  }

  json run() {
    json report = machineReport();
    for (const auto& backend : backends_)
      if (backend->name() != "cpu") report["gpu"] = backend->fingerprint();
    report["rounds"] = arguments_.rounds;
    report["threads"] = hardwareThreads();
    for (const std::string& file : arguments_.scans) runScan(*readScan(file, {}, {}), report);
    for (const int n : arguments_.volumes) runScan(*simulated(arguments_, n), report);
    return report;
  }

 private:
  void runScan(const Scan& scan, json& report) {
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations =
        scan.dims() == 3 ? arguments_.iterations3d : arguments_.iterations2d;
    std::shared_ptr<const Image> reference;
    for (const auto& backend : backends_) {
      Wisdom wisdom("");
      std::vector<Reconstruction> jobs;
      for (int round = 0; round <= arguments_.rounds; ++round) {
        jobs.push_back(reconstruct({backend.get()}, scan, options, &wisdom, {}));
        if (round > 0) jobs.back().image.reset();
      }
      json row = rowOf(scan, *backend, jobs);
      if (arguments_.spans) row["spans"] = spansOf(*backend, scan, options, wisdom);
      if (reference) row["nrmse to the first backend"] = nrmse(*jobs.front().image, *reference);
      reference = jobs.front().image;
      std::printf("%s\n", row.dump().c_str());
      std::fflush(stdout);
      report["jobs"].push_back(row);
    }
  }

  // Name: seconds in all spans of that name, and how many there are.
  static json spansOf(Backend& backend, const Scan& scan, const ReconOptions& options, Wisdom& wisdom) {
    TraceRecorder recorder;
    {
      const SpanScope scope(&recorder);
      reconstruct({&backend}, scan, options, &wisdom, {});
    }
    json spans;
    for (const TraceSpan& span : recorder.take().spans) {
      if (span.kind == SpanKind::iteration || span.kind == SpanKind::work) continue;
      json& sum = spans[span.kind == SpanKind::device ? "device: " + span.name : span.name];
      if (sum.is_null()) sum = {{"seconds", 0.0}, {"count", 0}};
      sum["seconds"] = sum["seconds"].get<double>() + span.end - span.begin;
      sum["count"] = sum["count"].get<int>() + 1;
    }
    return spans;
  }

  // The first job, which tunes and loads code, is told apart.
  static json rowOf(const Scan& scan, const Backend& backend, const std::vector<Reconstruction>& jobs) {
    std::vector<double> seconds;
    std::map<std::string, std::vector<double>> parts;
    for (std::size_t i = 1; i < jobs.size(); ++i) {
      seconds.push_back(jobs[i].seconds);
      for (std::size_t s = 0; s < jobStageCount; ++s)
        parts[std::string(jobStageNames[s])].push_back(jobs[i].account.seconds[s]);
      parts["unaccounted"].push_back(jobs[i].account.unaccounted());
    }
    json row = {{"scan", scan.name},
                {"coils", scan.coils},
                {"matrix", scan.geometry.matrix},
                {"samples", scan.trajectory(0).samples()},
                {"backend", backend.name()},
                {"iterations", jobs.front().iterations.front().residuals.size()},
                {"transform", jobs.back().iterations.front().transform},
                {"normal", normalMethodName(jobs.back().plan.options.normal)},
                {"first job seconds", jobs.front().seconds},
                {"job seconds", medianOf(seconds)},
                {"all", seconds}};
    for (const auto& [name, values] : parts)
      if (medianOf(values) > 0) row["parts"][name] = medianOf(values);
    return row;
  }

  const Arguments& arguments_;
  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Whole SENSE jobs on CPU and GPU",
      [&](CLI::App& app) {
        app.add_option("scans", arguments.scans, "Scans from files");
        app.add_option("--volumes", arguments.volumes, "Simulated 3-D radial scans of N pixels an axis");
        app.add_option("--acceleration", arguments.acceleration, "Of the simulated scans")
            ->capture_default_str();
        app.add_option("--coils", arguments.coils, "Of the simulated scans")->capture_default_str();
        app.add_option("--module", arguments.module, "The CUDA module; none: the CPU alone");
        app.add_flag("!--no-cpu", arguments.cpu, "The GPU alone");
        app.add_option("--rounds", arguments.rounds, "Jobs that are timed")->check(CLI::PositiveNumber);
        app.add_flag("--spans", arguments.spans, "One more job, traced part by part");
        addJson(app, arguments.json);
      },
      [&] { save(arguments.json, JobBench(arguments).run()); });
}
