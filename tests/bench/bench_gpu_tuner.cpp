// The tuner's default choice on the GPU beside the best of an exhaustive search, both timed again
// in turns: device pointers, device time from events. Planning time of the default is wall time.
//
//   bench_gpu_tuner MODULE [--repeats N] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "engine/core/version.h"
#include "engine/nufft/plan/device_point_plan.h"
#include "engine/nufft/tune/tune.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "tests/bench/gpu_module.h"
#include "tests/bench/gpu_timing.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

std::string describe(const Candidate& c, bool adjoint) {
  char text[96];
  std::snprintf(text, sizeof text, "%s, alpha %.3f, W %.2f",
                std::string(methodName(adjoint ? c.options.spread : c.options.interpolate)).c_str(),
                c.options.alpha, c.options.width);
  return text;
}

template <class Real>
json run(Backend& backend, const GpuCase& c, bool adjoint, int repeats) {
  using Complex = std::complex<Real>;
  const std::vector<double> points = c.points();
  const std::int64_t count = std::int64_t(points.size()) / c.problem.dims;
  TuneRequest request;
  request.problem = c.problem;
  request.points = points;
  request.options.accuracy = c.accuracy;
  request.mustTime = true;
  request.workload.direction = adjoint ? Direction::adjoint : Direction::forward;
  NufftBackend* const backends[] = {&backend};
  const TuneResult quick = tune(backends, request, nullptr, {});
  request.effort = TuneEffort::exhaustive;
  const TuneResult whole = tune(backends, request, nullptr, {});
  const DeviceArray<double> devicePoints(points);
  const DeviceArray<Complex> image(std::vector<Complex>(std::size_t(c.problem.pixels()), Complex(1, -1))),
      samples(std::vector<Complex>(std::size_t(count), Complex(1, 1)));
  const TuneResult* results[] = {&quick, &whole};
  std::unique_ptr<Nufft<Real>> plans[2];
  std::vector<double> seconds[2];
  for (int i = 0; i < 2; ++i) {
    const Candidate& best = results[i]->candidates[std::size_t(results[i]->best)];
    plans[i] = backend.plan<Real>(c.problem, best.options);
    dynamic_cast<DevicePointPlan&>(*plans[i]).setDevicePoints(devicePoints.get(), count, benchStream(),
                                                              nullptr);
  }
  for (int repeat = -1; repeat < repeats; ++repeat)
    for (int i = 0; i < 2; ++i) {
      Execution e;
      e.devicePointers = true;
      e.stream = benchStream();
      const double t = eventSeconds([&](cudaStream_t) {
        adjoint ? plans[i]->adjoint(samples.get(), image.get(), e)
                : plans[i]->forward(image.get(), samples.get(), e);
      });
      if (repeat >= 0) seconds[i].push_back(t);
    }
  const double ratio = medianOf(seconds[0]) / medianOf(seconds[1]);
  const std::string names[] = {describe(quick.candidates[std::size_t(quick.best)], adjoint),
                               describe(whole.candidates[std::size_t(whole.best)], adjoint)};
  std::printf(
      "%-40s %s | default %s %.3f ms, planned in %.2f s | exhaustive %s %.3f ms, %zu candidates, %.1f s | "
      "%.3f\n",
      c.name.c_str(), adjoint ? "type 1" : "type 2", names[0].c_str(), medianOf(seconds[0]) * 1e3,
      quick.seconds, names[1].c_str(), medianOf(seconds[1]) * 1e3, whole.candidates.size(), whole.seconds,
      ratio);
  std::fflush(stdout);
  return {{"case", c.name},
          {"direction", adjoint ? "type 1" : "type 2"},
          {"default", names[0]},
          {"exhaustive", names[1]},
          {"default ms", medianOf(seconds[0]) * 1e3},
          {"exhaustive ms", medianOf(seconds[1]) * 1e3},
          {"ratio", ratio},
          {"planning s", quick.seconds},
          {"exhaustive s", whole.seconds},
          {"candidates", whole.candidates.size()}};
}

}  // namespace

int main(int argc, char** argv) try {
  std::string module, file;
  int repeats = 15;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key == "--json" && i + 1 < argc)
      file = argv[++i];
    else if (key == "--repeats" && i + 1 < argc)
      repeats = std::stoi(argv[++i]);
    else
      module = key;
  }
  if (module.empty()) throw std::runtime_error("usage: bench_gpu_tuner MODULE [--repeats N] [--json FILE]");
  const auto backend = loadCudaModule(module);
  const std::string date = timeNow();
  json report{{"device", backend->badge()}, {"software", backend->fingerprint()},
              {"commit", versionCommit()},  {"date", date},
              {"repeats", repeats},         {"cases", json::array()}};
  const char* const wanted[] = {
      "3-D 128 float 1e-03 random M/N^d 1",    "3-D 128 float 1e-05 radial M/N^d 1",
      "3-D 128 float 1e-02 stars M/N^d 1",     "3-D 128 float 1e-03 radial M/N^d 0.25",
      "3-D 128 float 1e-03 clustered M/N^d 1", "2-D 1024 float 1e-03 radial M/N^d 4",
      "2-D 1024 double 1e-06 random M/N^d 4",  "3-D 128 double 1e-06 radial M/N^d 1"};
  double logs = 0, worst = 0, longest = 0;
  for (const GpuCase& c : gpuCases()) {
    if (std::find(std::begin(wanted), std::end(wanted), c.name) == std::end(wanted)) continue;
    for (const bool adjoint : {true, false}) {
      const json row = c.problem.precision == Precision::dbl ? run<double>(*backend, c, adjoint, repeats)
                                                             : run<float>(*backend, c, adjoint, repeats);
      report["cases"].push_back(row);
      logs += std::log(row["ratio"].get<double>());
      worst = std::max(worst, row["ratio"].get<double>());
      longest = std::max(longest, row["planning s"].get<double>());
      const double mean = std::exp(logs / double(report["cases"].size()));
      report["ratio"] = {{"geometric mean", mean}, {"worst", worst}, {"longest planning s", longest}};
      if (!file.empty()) std::ofstream(file) << report.dump(1) << "\n";
    }
  }
  std::cout << report["ratio"].dump() << "\n";
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
