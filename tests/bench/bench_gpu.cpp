// The GPU's methods beside each other: for each case (points, size, accuracy) every spreading and
// interpolation method at several oversampling ratios, execute and set-points, device pointers, device time
// from events. All plans of a case take turns; medians are reported, with the error against exact sums and
// the share of the ceilings (copy bandwidth, cuFFT alone) that were measured in the same run. Where the peer
// is compiled in (SPOKELAB_WITH_CUFINUFFT) it takes its turns too: its default, and the best of its methods
// and upsampling factors.
//
//   bench_gpu MODULE [--json FILE] [--filter TEXT] [--repeats N] [--alphas 1.25,1.5,2]
#include <cuda_runtime.h>
#include <cufft.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cuda/backend.h"
#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/nufft/nudft.h"
#include "tests/bench/gpu_cases.h"
#include "tests/bench/gpu_peer.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr int checkedOutputs = 256;
constexpr std::size_t candidatesTimed =
    2;  // of the backend's ranking, where a case does not compare all methods

struct Arguments {
  std::string module, json, filter;
  int repeats = 9;
  std::vector<double> alphas{1.25, 1.5, 2};
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
    else if (key == "--alphas") {
      a.alphas.clear();
      std::string text = value();
      for (std::size_t at = 0; at < text.size();) {
        std::size_t used = 0;
        a.alphas.push_back(std::stod(text.substr(at), &used));
        at += used + 1;
      }
    } else
      a.module = key;
  }
  if (a.module.empty())
    throw std::runtime_error("usage: bench_gpu MODULE [--json FILE] [--filter TEXT] [--repeats N]");
  return a;
}

std::unique_ptr<Backend> load(const std::string& file) {
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) throw std::runtime_error(dlerror());
  const auto make = reinterpret_cast<SpokelabCudaBackendFunction>(dlsym(module, "spokelabCudaBackend"));
  char reason[512] = "";
  std::unique_ptr<Backend> backend(make ? make(reason, sizeof reason) : nullptr);
  if (!backend) throw std::runtime_error(reason);
  return backend;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// Device time of `work` in seconds.
template <class Work>
double eventSeconds(Work&& work) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    require(cudaEventCreate(&begin), "making an event");
    require(cudaEventCreate(&end), "making an event");
  }
  require(cudaEventRecord(begin, cudaStreamPerThread), "recording");
  work(cudaStreamPerThread);
  require(cudaEventRecord(end, cudaStreamPerThread), "recording");
  require(cudaEventSynchronize(end), "waiting");
  float ms = 0;
  require(cudaEventElapsedTime(&ms, begin, end), "reading an event");
  return ms * 1e-3;
}

double copyBandwidth(int repeats) {
  constexpr std::size_t bytes = std::size_t(1) << 30;
  const DeviceArray<char> from(bytes), to(bytes);
  std::vector<double> seconds;
  for (int i = 0; i < repeats + 2; ++i)
    seconds.push_back(eventSeconds([&](cudaStream_t s) {
      require(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, s), "copying");
    }));
  return 2.0 * double(bytes) / median(seconds);
}

// cuFFT alone on this grid, in place.
double fftSeconds(int dims, const Index3& grid, bool dbl, int repeats) {
  cufftHandle plan = 0;
  int n[3] = {};
  for (int d = 0; d < dims; ++d) n[d] = int(grid[std::size_t(dims - 1 - d)]);
  if (cufftPlanMany(&plan, dims, n, nullptr, 1, 0, nullptr, 1, 0, dbl ? CUFFT_Z2Z : CUFFT_C2C, 1) !=
      CUFFT_SUCCESS)
    return 0;
  const DeviceArray<char> data(std::size_t(product(grid)) * (dbl ? 16 : 8));
  require(cudaMemset(data.get(), 0, data.bytes()), "clearing");
  std::vector<double> seconds;
  for (int i = 0; i < repeats + 2; ++i)
    seconds.push_back(eventSeconds([&](cudaStream_t s) {
      cufftSetStream(plan, s);
      if (dbl)
        cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex*>(data.get()),
                     reinterpret_cast<cufftDoubleComplex*>(data.get()), CUFFT_FORWARD);
      else
        cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(data.get()),
                     reinterpret_cast<cufftComplex*>(data.get()), CUFFT_FORWARD);
    }));
  cufftDestroy(plan);
  return median(seconds);
}

// One plan of a case and what it took.
template <class Real>
struct Contender {
  Direction direction;
  Method method;
  double alpha = 0;
  std::unique_ptr<Nufft<Real>> plan;
  std::vector<double> execute, setPoints;
  std::vector<StageTimings> stages;
  double error = 0;
  std::string refused;
};

// Exact values at some outputs of one direction, and the scale of the contract's error.
struct Exact {
  std::vector<std::int64_t> selection;
  std::vector<cdouble> values;
};

template <class Real>
double errorAt(const Exact& exact, const std::vector<std::complex<Real>>& out) {
  double difference = 0, scale = 0;
  for (std::size_t i = 0; i < exact.selection.size(); ++i) {
    difference += std::norm(cdouble(out[std::size_t(exact.selection[i])]) - exact.values[i]);
    scale += std::norm(exact.values[i]);
  }
  return std::sqrt(difference / scale);
}

json stageJson(const StageTimings& t, double ceiling) {
  json out;
  for (int s = 0; s < stageCount; ++s) {
    const auto i = std::size_t(s);
    if (t.seconds[i] <= 0) continue;
    json row{{"ms", t.seconds[i] * 1e3}};
    if (t.bytes[i] > 0) {
      row["GB/s"] = t.bytes[i] / t.seconds[i] * 1e-9;
      row["share of copy"] = t.bytes[i] / t.seconds[i] / ceiling;
    }
    out[std::string(stageNames[i])] = row;
  }
  return out;
}

template <class Real>
json runCase(Backend& backend, const GpuCase& c, const Arguments& arguments, double copyCeiling,
             std::map<std::string, double>& fftCeilings) {
  using Complex = std::complex<Real>;
  const std::vector<double> points = c.points();
  const std::int64_t count = std::int64_t(points.size()) / c.problem.dims, pixels = c.problem.pixels();
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  const auto draw = [&](std::int64_t n) {
    std::vector<Complex> v(static_cast<std::size_t>(n));
    for (Complex& x : v) x = {Real(normal(generator)), Real(normal(generator))};
    return v;
  };
  const std::vector<Complex> image = draw(pixels), samples = draw(count);
  const DeviceArray<double> devicePoints(points);
  const DeviceArray<Complex> deviceImage(image), deviceSamples(samples), outImage(image.size()),
      outSamples(samples.size());

  Exact forward, adjoint;
  for (int i = 0; i < checkedOutputs; ++i) {
    forward.selection.push_back(std::int64_t(generator() % std::uint64_t(count)));
    adjoint.selection.push_back(std::int64_t(generator() % std::uint64_t(pixels)));
  }
  forward.values =
      nudftForward(c.problem, points, std::vector<cdouble>(image.begin(), image.end()), forward.selection);
  adjoint.values = nudftAdjoint(c.problem, points, std::vector<cdouble>(samples.begin(), samples.end()),
                                adjoint.selection);

  std::vector<Contender<Real>> contenders;
  for (const double alpha : arguments.alphas)
    for (const Direction direction : {Direction::adjoint, Direction::forward}) {
      NufftOptions options;
      options.accuracy = c.accuracy;
      options.alpha = alpha;
      options.normal = NormalMethod::gridded;
      static constexpr Method all[] = {Method::tensor,      Method::fixedPoint, Method::pointSorted,
                                       Method::subproblem,  Method::sector,     Method::outputDriven,
                                       Method::pointDriven, Method::sparse};
      std::vector<Method> methods(std::begin(all), std::end(all));
      if (!c.allMethods) {
        try {
          methods = direction == Direction::adjoint ? backend.spreadMethods(c.problem, options)
                                                    : backend.interpolateMethods(c.problem, options);
        } catch (const Error&) {
          continue;  // the accuracy is out of reach at this ratio
        }
        methods.resize(std::min<std::size_t>(methods.size(), candidatesTimed));
      }
      for (const Method method : methods) {
        Contender<Real> contender;
        contender.direction = direction;
        contender.method = method;
        contender.alpha = alpha;
        (direction == Direction::adjoint ? options.spread : options.interpolate) = method;
        (direction == Direction::adjoint ? options.interpolate : options.spread) =
            method == Method::fixedPoint || method == Method::sector || method == Method::outputDriven
                ? Method::pointSorted
                : method;
        try {
          contender.plan = backend.plan<Real>(c.problem, options);
        } catch (const Error& e) {
          contender.refused = e.reason();
        }
        contenders.push_back(std::move(contender));
      }
    }

  for (int repeat = -1; repeat < arguments.repeats; ++repeat)
    for (auto& contender : contenders) {
      if (!contender.refused.empty()) continue;
      try {
        StageTimings set, run;
        dynamic_cast<gpu::DevicePointPlan&>(*contender.plan)
            .setDevicePoints(devicePoints.get(), count, nullptr, &set);
        Execution execution;
        execution.devicePointers = true;
        execution.timings = &run;
        if (contender.direction == Direction::adjoint)
          contender.plan->adjoint(deviceSamples.get(), outImage.get(), execution);
        else
          contender.plan->forward(deviceImage.get(), outSamples.get(), execution);
        if (repeat < 0) {  // warm-up, and the answer checked
          contender.error = contender.direction == Direction::adjoint ? errorAt(adjoint, outImage.read())
                                                                      : errorAt(forward, outSamples.read());
          continue;
        }
        contender.execute.push_back(run.total);
        contender.setPoints.push_back(set.total);
        contender.stages.push_back(run);
      } catch (const Error& e) {
        contender.refused = e.reason();
      }
    }

  json rows = json::array();
  for (auto& contender : contenders) {
    json row{{"direction", contender.direction == Direction::adjoint ? "type 1" : "type 2"},
             {"method", methodName(contender.method)},
             {"alpha", contender.alpha}};
    if (!contender.refused.empty()) {
      row["refused"] = contender.refused;
    } else {
      std::size_t middle = 0;  // the run whose total is the median
      const double total = median(contender.execute);
      while (contender.execute[middle] != total) ++middle;
      const PlanInfo& info = contender.plan->info();
      row["W"] = info.options.width;
      row["grid"] = info.grid;
      row["execute ms"] = total * 1e3;
      row["set points ms"] = median(contender.setPoints) * 1e3;
      row["points/s with set points"] = double(count) / (total + median(contender.setPoints));
      row["error"] = contender.error;
      row["memory MB"] = double(info.memory) * 1e-6;
      row["stages"] = stageJson(contender.stages[middle], copyCeiling);
      const std::string key = std::to_string(info.grid[0]) + "x" + std::to_string(info.grid[1]) + "x" +
                              std::to_string(info.grid[2]) + (sizeof(Real) == 8 ? " double" : " float");
      if (!fftCeilings.count(key))
        fftCeilings[key] = fftSeconds(c.problem.dims, info.grid, sizeof(Real) == 8, arguments.repeats);
      row["cuFFT alone ms"] = fftCeilings[key] * 1e3;
      const StageTimings& t = contender.stages[middle];
      std::printf(
          "  %s %-8s a %.3f W %5.2f | exec %8.3f ms (grid %8.3f fft %7.3f [%7.3f] rest %7.3f) set %7.3f err "
          "%.2e%s\n",
          contender.direction == Direction::adjoint ? "T1" : "T2",
          std::string(methodName(contender.method)).c_str(), contender.alpha, info.options.width, total * 1e3,
          t.interpolation() * 1e3, t.fft() * 1e3, fftCeilings[key] * 1e3, t.rest() * 1e3,
          median(contender.setPoints) * 1e3, contender.error, contender.error > c.accuracy ? " OVER" : "");
    }
    rows.push_back(std::move(row));
    contender.plan.reset();
  }
  for (json& row : peerRows<Real>(c, points, image, samples, arguments.repeats))
    rows.push_back(std::move(row));
  std::fflush(stdout);
  return {{"case", c.name}, {"points", count}, {"accuracy", c.accuracy}, {"results", rows}};
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
  const DeviceArray<double> devicePoints(points);
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
    const auto plan = backend.planFloat(problem, options);
    dynamic_cast<gpu::DevicePointPlan&>(*plan).setDevicePoints(
        devicePoints.get(), std::int64_t(points.size()) / 3, nullptr, nullptr);
    std::vector<double> seconds;
    for (int i = -1; i < repeats; ++i) {
      StageTimings t;
      Execution execution;
      execution.devicePointers = true;
      execution.timings = &t;
      plan->normal(in.get(), out.get(), execution);
      if (i >= 0) seconds.push_back(t.total);
    }
    const std::string name(normalMethodName(method));
    rows.push_back({{"method", name},
                    {"execute ms", median(seconds) * 1e3},
                    {"over two FFTs", median(seconds) / plain},
                    {"memory MB", double(plan->info().memory) * 1e-6}});
    std::printf("  normal %-16s %8.3f ms, %.2f of two cuFFTs of twice the size (%.3f ms)\n", name.c_str(),
                median(seconds) * 1e3, median(seconds) / plain, plain * 1e3);
  }
  return {{"case", "3-D normal " + std::to_string(n)}, {"two FFTs ms", plain * 1e3}, {"results", rows}};
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  const auto backend = load(arguments.module);
  const double copy = copyBandwidth(arguments.repeats);
  std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  std::printf("%s, spokelab %s, %s\ncopy %.0f GB/s (read + write)\n", backend->badge().c_str(), versionText(),
              date, copy * 1e-9);
  json report{{"device", backend->badge()},
              {"software", backend->fingerprint()},
              {"commit", versionCommit()},
              {"date", date},
              {"repeats", arguments.repeats},
              {"copy GB/s", copy * 1e-9},
              {"peer", peerName},
              {"cases", json::array()}};
  std::map<std::string, double> fftCeilings;
  for (const GpuCase& c : gpuCases()) {
    if (!arguments.filter.empty() && c.name.find(arguments.filter) == std::string::npos) continue;
    std::printf("%s\n", c.name.c_str());
    report["cases"].push_back(c.problem.precision == Precision::dbl
                                  ? runCase<double>(*backend, c, arguments, copy, fftCeilings)
                                  : runCase<float>(*backend, c, arguments, copy, fftCeilings));
  }
  for (const std::int64_t n : {128, 192, 256}) {
    if (!arguments.filter.empty() && std::string("3-D normal").find(arguments.filter) == std::string::npos)
      break;
    std::printf("3-D normal %lld\n", static_cast<long long>(n));
    report["normal"].push_back(runNormal(*backend, n, arguments.repeats));
  }
  for (const auto& [grid, seconds] : fftCeilings) report["cuFFT alone ms"][grid] = seconds * 1e3;
  if (!arguments.json.empty()) std::ofstream(arguments.json) << report.dump(1) << "\n";
  return 0;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
