// The GPU's transforms beside the peer's (cuFINUFFT, where it is compiled in), case by case in one
// run. Every choice of the peer's is timed and its error measured, at 4,096 outputs against exact
// sums. Ours is then tuned for the error that the peer reached: twice, for its default and for its
// fastest choice; checked at 4,096 other outputs. At the end the four take turns, and medians of
// execute and of set-points + execute are compared. Device pointers, device time from events on one
// stream. Beside them: copy bandwidth, cuFFT alone on our grid, memory, and the normal operator in
// its forms against two plain FFTs of twice the size.
//
//   bench_gpu MODULE [--json FILE] [--filter TEXT] [--repeats N]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/nufft/tune/tune.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "tests/bench/gpu_case_run.h"
#include "tests/bench/gpu_module.h"
#include "tests/bench/result_text.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, json, filter;
  int repeats = 9;
  int type = 0;      // 0: both directions
  bool peer = true;  // false: ours alone, for cases that take the peer minutes
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::runtime_error(key + " needs a value");
      return argv[++i];
    };
    if (key == "--json")
      a.json = value();
    else if (key == "--filter")
      a.filter = value();
    else if (key == "--repeats")
      a.repeats = std::stoi(value());
    else if (key == "--type")
      a.type = std::stoi(value());
    else if (key == "--no-peer")
      a.peer = false;
    else
      a.module = key;
  }
  if (a.module.empty())
    throw std::runtime_error(
        "usage: bench_gpu MODULE [--json FILE] [--filter TEXT] [--repeats N] [--type 1|2] [--no-peer]");
  return a;
}

template <class Real>
json runCase(Backend& backend, const GpuCase& c, const Arguments& a,
             std::map<std::string, double>& fftCeilings) {
  const std::vector<double> points = c.points();
  const DeviceArray<double> devicePoints(points);
  const PeerPoints<Real> peerPoints(points, c.problem.dims);
  json rows = json::array();
  for (const int type : {1, 2})
    if (a.type == 0 || a.type == type)
      rows.push_back(CaseRun<Real>(backend, c, type == 1, points, devicePoints,
                                   a.peer ? &peerPoints : nullptr, a.repeats, fftCeilings)
                         .run());
  return {{"case", c.name},
          {"points", std::int64_t(points.size()) / c.problem.dims},
          {"accuracy", c.accuracy},
          {"results", rows}};
}

// The normal operator in its forms, beside two plain FFTs of twice the size.
json runNormal(Backend& backend, std::int64_t n, int repeats) {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {n, n, n};
  GpuCase c;
  c.problem = problem;
  c.pattern = Points::radial;
  const std::vector<double> points = c.points();
  const DeviceArray<double> pointsThere(points);
  const std::vector<cfloat> image(std::size_t(problem.pixels()), cfloat(1, -1));
  const DeviceArray<cfloat> in(image), out(image.size());
  const double plain = 2 * fftSeconds(3, {2 * n, 2 * n, 2 * n}, false, repeats);
  json rows = json::array();
  for (const NormalMethod method :
       {NormalMethod::toeplitz, NormalMethod::toeplitzShifted, NormalMethod::gridded}) {
    NufftOptions options;
    options.accuracy = 1e-3;
    options.normal = method;
    if (method == NormalMethod::gridded) options.alpha = 1.5;
    const auto plan = backend.plan<float>(problem, options);
    plan->setPoints(devicePoints({pointsThere.get(), points.size()}));
    std::vector<double> seconds;
    for (int i = -1; i < repeats; ++i) {
      const StageTimings t =
          timedStages([&] { plan->normal(in.get(), out.get(), {.devicePointers = true}); });
      if (i >= 0) seconds.push_back(t.total);
    }
    const std::string name(normalMethodName(method));
    rows.push_back({{"method", name},
                    {"execute ms", medianOf(seconds) * 1e3},
                    {"over two FFTs", medianOf(seconds) / plain},
                    {"memory MB", double(plan->info().memory) * 1e-6}});
    std::printf("  normal %-16s %8.3f ms, %.2f of two cuFFTs of twice the size (%.3f ms)\n", name.c_str(),
                medianOf(seconds) * 1e3, medianOf(seconds) / plain, plain * 1e3);
  }
  return {{"case", "3-D normal " + std::to_string(n)}, {"two FFTs ms", plain * 1e3}, {"results", rows}};
}

// Geometric mean and worst of every ratio, over all cases and directions.
void summarize(json& report) {
  std::map<std::string, std::vector<double>> ratios;
  for (const json& c : report["cases"])
    for (const json& row : c["results"])
      if (row.contains("ratio"))
        for (const auto& [name, value] : row["ratio"].items()) ratios[name].push_back(value.get<double>());
  for (const auto& [name, values] : ratios) {
    double logs = 0;
    for (const double v : values) logs += std::log(v);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double mean = std::exp(logs / double(values.size()));
    report["ratios"][name] = {{"geometric mean", mean}, {"least", *low}, {"most", *high}};
    std::printf("%-16s geometric mean %.2f, least %.2f, most %.2f\n", name.c_str(), mean, *low, *high);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  const auto backend = loadCudaModule(arguments.module);
  const double copy = copyBandwidth(arguments.repeats);
  const std::string date = timeNow();
  std::printf("%s, spokelab %s, %s\ncopy %.0f GB/s (read + write)\n", backend->badge().c_str(), versionText(),
              date.c_str(), copy * 1e-9);
  json report{{"device", backend->badge()},
              {"software", backend->fingerprint()},
              {"commit", versionCommit()},
              {"date", date},
              {"repeats", arguments.repeats},
              {"copy GB/s", copy * 1e-9},
              {"peer", peerName},
              {"cases", json::array()}};
  std::map<std::string, double> fftCeilings;
  const auto save = [&] {  // after each case: a run that is cut off keeps what it has
    if (!arguments.json.empty()) std::ofstream(arguments.json) << resultText(report) << "\n";
  };
  for (const std::int64_t n : {128, 192, 256}) {
    if (!arguments.filter.empty() && std::string("3-D normal").find(arguments.filter) == std::string::npos)
      break;
    std::printf("3-D normal %lld\n", static_cast<long long>(n));
    report["normal"].push_back(runNormal(*backend, n, arguments.repeats));
  }
  for (const GpuCase& c : gpuCases()) {
    if (!arguments.filter.empty() && c.name.find(arguments.filter) == std::string::npos) continue;
    std::printf("%s\n", c.name.c_str());
    report["cases"].push_back(c.problem.precision == Precision::double64
                                  ? runCase<double>(*backend, c, arguments, fftCeilings)
                                  : runCase<float>(*backend, c, arguments, fftCeilings));
    save();
  }
  summarize(report);
  for (const auto& [grid, seconds] : fftCeilings) report["cuFFT alone ms"][grid] = seconds * 1e3;
  save();
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
