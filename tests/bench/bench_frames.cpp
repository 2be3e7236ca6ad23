// Frames with different points, one by one against all together (nufft/problem/plan_points.h):
// seconds a frame of setting points and of the forward and adjoint transforms of all coils, by each
// method that takes several sets of points, on CPU and GPU; and of gridding whole scans. GPU: data
// in its memory, points in the host's.
//
//   bench_frames [--matrix N...] [--frames N] [--spokes N] [--coils N] [--repeats N] [--accuracy E]
//                [--module FILE] [--no-cpu] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/shots/sliding_window.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/device_memory.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::vector<int> matrices{128, 256};
  std::string module, json;
  int frames = 100, spokes = 21, coils = 10, repeats = 5;
  double accuracy = 1e-3;
  bool cpu = true;
};

struct Frames {
  NufftProblem problem;
  std::vector<double> points;
  std::vector<std::int64_t> offsets{0};
};

// Golden-angle spokes of 2 N samples, all of a frame new.
Frames framesOf(const Arguments& arguments, int n) {
  Frames made;
  made.problem.size = {n, n, 1};
  made.problem.batch = arguments.coils;
  const double golden = std::numbers::pi * (std::sqrt(5.0) - 1) / 2;
  for (int f = 0; f < arguments.frames; ++f) {
    for (int s = 0; s < arguments.spokes; ++s) {
      const double angle = golden * (f * arguments.spokes + s);
      for (int i = 0; i < 2 * n; ++i) {
        const double k = double(i) / (2 * n) - 0.5;
        made.points.push_back(k * std::cos(angle));
        made.points.push_back(k * std::sin(angle));
      }
    }
    made.offsets.push_back(std::int64_t(made.points.size()) / 2);
  }
  return made;
}

struct Seconds {
  double points = 0, forward = 0, adjoint = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Work>
double timed(bool onDevice, const Work& work) {
  if (onDevice) awaitDevice();
  const double start = now();
  work();
  if (onDevice) awaitDevice();
  return now() - start;
}

// Medians of the repeats, after one that warms up; work(seconds): all frames once.
template <class Work>
Seconds medians(int repeats, std::int64_t frames, const Work& work) {
  std::vector<double> points, forward, adjoint;
  for (int r = 0; r <= repeats; ++r) {
    Seconds s;
    work(s);
    if (r == 0) continue;
    points.push_back(s.points / double(frames));
    forward.push_back(s.forward / double(frames));
    adjoint.push_back(s.adjoint / double(frames));
  }
  return {median(points), median(forward), median(adjoint)};
}

json rowOf(const std::string& how, const PlanInfo& info, const Seconds& s) {
  json row = {{"how", how},
              {"points us", s.points * 1e6},
              {"forward us", s.forward * 1e6},
              {"adjoint us", s.adjoint * 1e6},
              {"points and adjoint us", (s.points + s.adjoint) * 1e6},
              {"plan", info.description}};
  std::printf("  %-28s points %8.1f  forward %8.1f  adjoint %8.1f us a frame  %s\n", how.c_str(),
              s.points * 1e6, s.forward * 1e6, s.adjoint * 1e6, info.description.c_str());
  std::fflush(stdout);
  return row;
}

json oneByOne(Backend& backend, const Frames& frames, const NufftOptions& options, const std::string& how,
              int repeats, bool onDevice) {
  const auto plan = backend.plan<float>(frames.problem, options);
  const std::int64_t sets = std::int64_t(frames.offsets.size()) - 1,
                     length = frames.problem.batch * frames.problem.pixels();
  PlacedData<float> images(sets * length, onDevice),
      samples(frames.problem.batch * frames.offsets.back(), onDevice);
  const Execution execution{.devicePointers = onDevice};
  const Seconds s = medians(repeats, sets, [&](Seconds& out) {
    for (std::int64_t f = 0; f < sets; ++f) {
      const auto first = std::size_t(frames.offsets[std::size_t(f)]),
                 last = std::size_t(frames.offsets[std::size_t(f) + 1]);
      auto* const image = images.data() + f * length;
      auto* const sample = samples.data() + frames.problem.batch * std::int64_t(first);
      out.points += timed(onDevice, [&] {
        plan->setPoints(std::span(frames.points).subspan(2 * first, 2 * (last - first)));
      });
      out.forward += timed(onDevice, [&] { plan->forward(image, sample, execution); });
      out.adjoint += timed(onDevice, [&] { plan->adjoint(sample, image, execution); });
    }
  });
  return rowOf(how, plan->info(), s);
}

json together(Backend& backend, const Frames& frames, const NufftOptions& options, const std::string& how,
              int repeats, bool onDevice) {
  const std::int64_t sets = std::int64_t(frames.offsets.size()) - 1,
                     length = frames.problem.batch * frames.problem.pixels();
  NufftProblem problem = frames.problem;
  problem.sets = sets;
  const auto plan = backend.plan<float>(problem, options);
  PlacedData<float> images(sets * length, onDevice),
      samples(frames.problem.batch * frames.offsets.back(), onDevice);
  const Execution execution{.devicePointers = onDevice};
  const Seconds s = medians(repeats, sets, [&](Seconds& out) {
    out.points = timed(onDevice, [&] { plan->setPoints({frames.points, frames.offsets}); });
    out.forward = timed(onDevice, [&] { plan->forward(images.data(), samples.data(), execution); });
    out.adjoint = timed(onDevice, [&] { plan->adjoint(samples.data(), images.data(), execution); });
  });
  return rowOf(how, plan->info(), s);
}

std::vector<std::pair<Method, Method>> methodsOf(const Backend& backend) {
  if (backend.name() == "cpu") return {{Method::automatic, Method::automatic}};
  return {{Method::automatic, Method::automatic},     {Method::pointSorted, Method::pointSorted},
          {Method::pointDriven, Method::pointDriven}, {Method::subproblem, Method::subproblem},
          {Method::fixedPoint, Method::subproblem},   {Method::tensor, Method::tensor}};
}

json transforms(Backend& backend, const Arguments& arguments, int n) {
  const Frames frames = framesOf(arguments, n);
  const bool onDevice = backend.name() != "cpu";
  json rows = json::array();
  for (const auto& [spread, interpolate] : methodsOf(backend))
    for (const bool all : {false, true}) {
      NufftOptions options;
      options.accuracy = arguments.accuracy;
      options.spread = spread;
      options.interpolate = interpolate;
      options.normal = NormalMethod::later;
      const std::string how = std::string(all ? "together " : "one by one ") +
                              std::string(methodName(spread)) + "/" + std::string(methodName(interpolate));
      try {
        rows.push_back(all ? together(backend, frames, options, how, arguments.repeats, onDevice)
                           : oneByOne(backend, frames, options, how, arguments.repeats, onDevice));
      } catch (const Error& e) {
        rows.push_back({{"how", how}, {"refused", e.reason()}});
      }
    }
  return rows;
}

// A window of `spokes` that moves on by all of them.
std::shared_ptr<const Scan> movingScan(const Arguments& arguments, int n) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = arguments.frames * arguments.spokes;
  options.coils = arguments.coils;
  const auto scan = std::make_shared<Scan>(*simulate(options, {}));
  ReadOptions read;
  read.overrides["sliding-window"] =
      std::to_string(arguments.spokes) + "," + std::to_string(arguments.spokes);
  Decisions decisions(read, "Cannot make windows");
  slideWindow(*scan, "", decisions);
  return scan;
}

// Milliseconds a frame of whole jobs, without tuning; `reproducible` grids the frames one by one on
// the CPU, coils kept out of one call (coils-at-once) do so everywhere.
json jobs(Backend& backend, const Arguments& arguments, int n, const std::shared_ptr<const Scan>& scan) {
  json rows = json::array();
  for (const bool all : {false, true}) {
    ReconOptions options;
    options.backend = backend.name();
    options.nufft.accuracy = arguments.accuracy;
    options.nufft.alpha = 1.5;
    options.nufft.width = 5;
    // Plans that hold fewer coils than the scan has take frames one by one.
    if (!all) options.coilsAtOnce = std::max(1, (arguments.coils + 1) / 2);
    Wisdom wisdom("");
    std::vector<double> seconds;
    Reconstruction result;
    for (int r = 0; r <= arguments.repeats; ++r) {
      result = reconstruct({&backend}, *scan, options, &wisdom, {});
      if (r > 0) seconds.push_back(result.account.total);
    }
    json row = {{"how", all ? "job, together" : "job, one by one"},
                {"matrix", n},
                {"frames", result.image->frames},
                {"ms a frame", median(seconds) * 1e3 / result.image->frames},
                {"plan", result.plan.description}};
    for (std::size_t s = 0; s < jobStageCount; ++s)
      if (result.account.seconds[s] > 0)
        row["seconds"][std::string(jobStageNames[s])] = result.account.seconds[s];
    std::printf("  %s\n", row.dump().c_str());
    std::fflush(stdout);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Frames with points of their own, one by one and together",
      [&](CLI::App& app) {
        app.add_option("--matrix", arguments.matrices, "Pixels an axis");
        app.add_option("--frames", arguments.frames, "Set together")->capture_default_str();
        app.add_option("--spokes", arguments.spokes, "Of a frame")->capture_default_str();
        app.add_option("--coils", arguments.coils, "")->capture_default_str();
        app.add_option("--repeats", arguments.repeats, "")->capture_default_str();
        app.add_option("--accuracy", arguments.accuracy, "")->capture_default_str();
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
        report["frames"] = arguments.frames;
        report["spokes"] = arguments.spokes;
        report["coils"] = arguments.coils;
        report["accuracy"] = arguments.accuracy;
        report["threads"] = hardwareThreads();
        for (const int n : arguments.matrices) {
          const auto scan = movingScan(arguments, n);
          for (const auto& backend : backends) {
            std::printf("%s, %d x %d, %d frames of %d spokes, %d coils\n", backend->name().c_str(), n, n,
                        arguments.frames, arguments.spokes, arguments.coils);
            report["cases"].push_back({{"backend", backend->name()},
                                       {"matrix", n},
                                       {"transforms", transforms(*backend, arguments, n)},
                                       {"jobs", jobs(*backend, arguments, n, scan)}});
          }
        }
        save(arguments.json, report);
      });
}
