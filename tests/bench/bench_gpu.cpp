// The GPU's transforms beside the peer's (cuFINUFFT, where it is compiled in), case by case in one run. Every choice
// of the peer's is timed and its error measured, at 4,096 outputs against exact sums. Ours is then tuned for the
// error that the peer reached: twice, for its default and for its fastest choice; checked at 4,096 other outputs.
// At the end the four take turns, and medians of execute and of set-points + execute are compared. Device pointers,
// device time from events on one stream. Beside them: copy bandwidth, cuFFT alone on our grid, memory, and the
// normal operator in its forms against two plain FFTs of twice the size.
//
//   bench_gpu MODULE [--json FILE] [--filter TEXT] [--repeats N]
#include <cuda_runtime.h>
#include <cufft.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
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
#include "engine/nufft/tune.h"
#include "tests/bench/gpu_cases.h"
#include "tests/bench/gpu_exact.h"
#include "tests/bench/gpu_peer.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr int checkedOutputs = 4096;
constexpr std::size_t methodsTimed3d = 2, methodsTimed2d = 3;  // of the backend's ranking
constexpr double firstAlpha = 1.1, alphaStep = 1.08;  // candidates of ours: each this much above the last
constexpr int explored = 3;                           // executions of a candidate; the fastest counts

struct Arguments {
  std::string module, json, filter;
  int repeats = 9;
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
    else
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

// One stream for everything, ours and the peer's.
cudaStream_t benchStream() {
  static cudaStream_t stream = [] {
    cudaStream_t s = nullptr;
    require(cudaStreamCreate(&s), "making a stream");
    return s;
  }();
  return stream;
}

// Device time of `work` in seconds.
template <class Work>
double eventSeconds(Work&& work) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    require(cudaEventCreate(&begin), "making an event");
    require(cudaEventCreate(&end), "making an event");
  }
  require(cudaEventRecord(begin, benchStream()), "recording");
  work(benchStream());
  require(cudaEventRecord(end, benchStream()), "recording");
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

// What the device has free once pools have given back what they keep for later.
std::int64_t freeMemory() {
  require(cudaDeviceSynchronize(), "waiting");
  cudaMemPool_t pool = nullptr;
  require(cudaDeviceGetDefaultMemPool(&pool, 0), "asking for the memory pool");
  require(cudaMemPoolTrimTo(pool, 0), "trimming the memory pool");
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "asking for memory");
  return std::int64_t(free);
}

// Anything that takes points and executes: one of the peer's choices, or a plan of ours.
struct Contender {
  std::string name;
  std::function<bool()> setPoints, execute;  // false: it cannot
  std::vector<double> set, run;
  double error = 0;

  bool time() {
    bool good = true;
    const double setSeconds = eventSeconds([&](cudaStream_t) { good = setPoints(); });
    const double runSeconds = eventSeconds([&](cudaStream_t) { good = good && execute(); });
    set.push_back(setSeconds);
    run.push_back(runSeconds);
    return good;
  }
  void forgetTimes() {
    set.clear();
    run.clear();
  }
  double runMedian() const { return median(run); }
  double wholeMedian() const {
    std::vector<double> whole;
    for (std::size_t i = 0; i < run.size(); ++i) whole.push_back(set[i] + run[i]);
    return median(whole);
  }
};

// Exact values at some outputs.
struct Exact {
  std::vector<std::int64_t> selection;
  std::vector<cdouble> values;
};

template <class Real>
class CaseRun {
  using Complex = std::complex<Real>;

 public:
  CaseRun(Backend& backend, const GpuCase& c, bool adjoint, const std::vector<double>& points,
          const DeviceArray<double>& devicePoints, const PeerPoints<Real>& peerPoints,
          const Arguments& arguments, std::map<std::string, double>& fftCeilings)
      : backend_(backend),
        c_(c),
        adjoint_(adjoint),
        devicePoints_(devicePoints),
        peerPoints_(peerPoints),
        arguments_(arguments),
        fftCeilings_(fftCeilings),
        count_(std::int64_t(points.size()) / c.problem.dims),
        image_(draw(c.problem.pixels(), 7)),
        samples_(draw(count_, 8)) {
    tuned_ = exact(21);
    checked_ = exact(22);
  }

  json run() {
    json row{{"direction", adjoint_ ? "type 1" : "type 2"}};
    double targets[2] = {c_.accuracy, c_.accuracy};
    double defaultTime = 0;
    int best = -1;
    double bestTime = 1e300;
    std::int64_t peerMemory = 0;
    {
      auto peers = makePeers<Real>(c_, adjoint_, peerPoints_, benchStream());
      for (std::size_t i = 0; i < peers.size(); ++i) {
        const std::int64_t before = freeMemory();
        Contender p = contender(*peers[i]);
        bool good = p.time();  // warm-up
        const std::int64_t taken = before - freeMemory();
        p.error = good ? error(tuned_) : 0;
        p.forgetTimes();
        for (int repeat = 0; repeat < explored && good; ++repeat) good = p.time();
        if (good) {
          json one{{"choice", p.name},
                   {"execute ms", p.runMedian() * 1e3},
                   {"error", p.error},
                   {"set points ms", median(p.set) * 1e3}};
          row["peer"].push_back(one);
          if (i == 0) {
            targets[0] = p.error;
            defaultTime = p.runMedian();
          }
          if (p.runMedian() < bestTime) {
            bestTime = p.runMedian();
            best = int(i);
            targets[1] = p.error;
            peerMemory = taken;
          }
        }
        peers[i].reset();
      }
    }
    std::vector<Contender> finalists;
    std::vector<std::unique_ptr<Peer<Real>>> peers;
    if (best >= 0) {
      peers = makePeers<Real>(c_, adjoint_, peerPoints_, benchStream());
      for (std::size_t i = 0; i < peers.size(); ++i)
        if (i != 0 && int(i) != best) peers[i].reset();
      if (peers[0] && defaultTime > 0) finalists.push_back(contender(*peers[0]));
      finalists.push_back(contender(*peers[std::size_t(best)]));
    }
    std::unique_ptr<Nufft<Real>> plans[2];
    const int ours = best >= 0 ? 2 : 1;
    std::int64_t memory = 0;
    for (int i = 0; i < ours; ++i) {
      const std::int64_t before = freeMemory();
      plans[i] = tuneFor(targets[i]);
      if (!plans[i]) {
        row["refused"] = "out of reach";
        return row;
      }
      finalists.push_back(contender(*plans[i]));
      finalists.back().time();
      memory = before - freeMemory();
    }
    for (Contender& f : finalists) f.forgetTimes();
    for (int repeat = -1; repeat < arguments_.repeats; ++repeat)
      for (Contender& f : finalists) {
        f.time();
        if (repeat < 0) {
          f.error = error(checked_);
          f.forgetTimes();
        }
      }
    for (Contender& f : finalists)
      row["finalists"].push_back({{"name", f.name},
                                  {"execute ms", f.runMedian() * 1e3},
                                  {"set points ms", median(f.set) * 1e3},
                                  {"set points + execute ms", f.wholeMedian() * 1e3},
                                  {"error", f.error}});
    const Contender& mine = finalists.back();
    row["targets"] = {targets[0], targets[1]};
    row["points/s with set points"] = double(count_) / mine.wholeMedian();
    row["memory MB"] = double(memory) * 1e-6;
    details(row, *plans[ours - 1]);
    if (best >= 0) {
      row["peer memory MB"] = double(peerMemory) * 1e-6;
      const Contender &standard = finalists[0], &fastest = finalists[1], &first = finalists[2];
      row["ratio"] = {{"default execute", standard.runMedian() / first.runMedian()},
                      {"default whole", standard.wholeMedian() / first.wholeMedian()},
                      {"best execute", fastest.runMedian() / mine.runMedian()},
                      {"best whole", fastest.wholeMedian() / mine.wholeMedian()},
                      {"set points", median(mine.set) / median(fastest.set)},
                      {"memory", double(memory) / double(peerMemory)}};
    }
    print(row, finalists);
    return row;
  }

 private:
  static std::vector<Complex> draw(std::int64_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<Real> normal;
    std::vector<Complex> v(static_cast<std::size_t>(n));
    for (Complex& x : v) x = {normal(generator), normal(generator)};
    return v;
  }

  Exact exact(unsigned seed) {
    Exact e;
    std::mt19937_64 generator(seed);
    const std::int64_t outputs = adjoint_ ? c_.problem.pixels() : count_;
    for (int i = 0; i < checkedOutputs; ++i)
      e.selection.push_back(std::int64_t(generator() % std::uint64_t(outputs)));
    e.values = exactSums<Real>(c_.problem, adjoint_, devicePoints_.get(), count_,
                               adjoint_ ? samples_.get() : image_.get(), e.selection);
    return e;
  }

  double error(const Exact& exact) {
    require(cudaDeviceSynchronize(), "waiting");
    const std::vector<Complex> out = adjoint_ ? outImage_.read() : outSamples_.read();
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < exact.selection.size(); ++i) {
      difference += std::norm(cdouble(out[std::size_t(exact.selection[i])]) - exact.values[i]);
      scale += std::norm(exact.values[i]);
    }
    return std::sqrt(difference / scale);
  }

  Contender contender(Peer<Real>& peer) {
    Contender c;
    c.name = std::string(peerName) + ", " + peer.name;
    c.setPoints = [&peer] { return peer.setPoints(); };
    c.execute = [this, &peer] {
      return adjoint_ ? peer.execute(outImage_.get(), samples_.get())
                      : peer.execute(image_.get(), outSamples_.get());
    };
    return c;
  }

  Contender contender(Nufft<Real>& plan) {
    Contender c;
    const NufftOptions& o = plan.info().options;
    char text[96];
    std::snprintf(text, sizeof text, "%s, alpha %.3f, W %.2f",
                  std::string(methodName(adjoint_ ? o.spread : o.interpolate)).c_str(), o.alpha, o.width);
    c.name = text;
    c.setPoints = [this, &plan] {
      dynamic_cast<gpu::DevicePointPlan&>(plan).setDevicePoints(devicePoints_.get(), count_, benchStream(),
                                                                nullptr);
      return true;
    };
    c.execute = [this, &plan] {
      Execution execution;
      execution.devicePointers = true;
      execution.stream = benchStream();
      if (adjoint_)
        plan.adjoint(samples_.get(), outImage_.get(), execution);
      else
        plan.forward(image_.get(), outSamples_.get(), execution);
      return true;
    };
    return c;
  }

  // The fastest plan whose error at the outputs of the tuning is within what is asked.
  std::unique_ptr<Nufft<Real>> tuneFor(double accuracy) {
    std::unique_ptr<Nufft<Real>> best;
    double bestTime = 1e300, last = 0;
    for (const double alpha : fastAlphas(c_.problem)) {
      if (alpha < (last == 0 ? firstAlpha : alphaStep * last)) continue;
      NufftOptions options;
      options.accuracy = accuracy;
      options.alpha = alpha;
      options.normal = NormalMethod::gridded;
      std::vector<Method> methods;
      try {
        methods = adjoint_ ? backend_.spreadMethods(c_.problem, options)
                           : backend_.interpolateMethods(c_.problem, options);
      } catch (const Error&) {
        continue;  // the accuracy is out of reach at this ratio
      }
      last = alpha;
      methods.resize(std::min(methods.size(), c_.problem.dims == 3 ? methodsTimed3d : methodsTimed2d));
      for (const Method method : methods) {
        (adjoint_ ? options.spread : options.interpolate) = method;
        // The other direction is not timed: one that shares the order of the points.
        (adjoint_ ? options.interpolate : options.spread) =
            method == Method::tensor ? Method::tensor : Method::pointSorted;
        try {
          auto plan = backend_.plan<Real>(c_.problem, options);
          Contender c = contender(*plan);
          c.time();
          c.forgetTimes();
          for (int i = 0; i < explored; ++i) c.time();
          const double time = *std::min_element(c.run.begin(), c.run.end());
          if (time >= bestTime || error(tuned_) > accuracy) continue;
          bestTime = time;
          best = std::move(plan);
        } catch (const Error& e) {
          std::printf("  (%s at alpha %.3f: %s)\n", std::string(methodName(method)).c_str(), alpha,
                      e.reason().c_str());
        }
      }
    }
    return best;
  }

  // Where the time of a plan goes, beside the ceilings.
  void details(json& row, Nufft<Real>& plan) {
    StageTimings t;
    Execution execution;
    execution.devicePointers = true;
    execution.timings = &t;
    for (int i = 0; i < explored; ++i) {
      t = {};
      if (adjoint_)
        plan.adjoint(samples_.get(), outImage_.get(), execution);
      else
        plan.forward(image_.get(), outSamples_.get(), execution);
    }
    for (int s = 0; s < stageCount; ++s) {
      const auto i = std::size_t(s);
      if (t.seconds[i] <= 0) continue;
      row["stages"][std::string(stageNames[i])]["ms"] = t.seconds[i] * 1e3;
      if (t.bytes[i] > 0)
        row["stages"][std::string(stageNames[i])]["GB/s"] = t.bytes[i] / t.seconds[i] * 1e-9;
    }
    const Index3 grid = plan.info().grid;
    const std::string key = std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" +
                            std::to_string(grid[2]) + (sizeof(Real) == 8 ? " double" : " float");
    if (!fftCeilings_.count(key))
      fftCeilings_[key] = fftSeconds(c_.problem.dims, grid, sizeof(Real) == 8, arguments_.repeats);
    row["cuFFT alone ms"] = fftCeilings_[key] * 1e3;
    row["grid"] = grid;
    row["plan"] = plan.info().description;
  }

  void print(const json& row, const std::vector<Contender>& finalists) const {
    std::printf(" %s", adjoint_ ? "T1" : "T2");
    for (const Contender& f : finalists)
      std::printf(" | %s: %.3f + %.3f ms %.1e", f.name.c_str(), median(f.set) * 1e3, f.runMedian() * 1e3,
                  f.error);
    for (const auto& [stage, value] : row["stages"].items())
      std::printf(" %s %.3f", stage.c_str(), value["ms"].template get<double>());
    std::printf(" [cuFFT %.3f]", row["cuFFT alone ms"].get<double>());
    if (row.contains("ratio")) {
      const json& r = row["ratio"];
      std::printf(" || default %.2f (%.2f) best %.2f (%.2f) set %.2f mem %.2f",
                  r["default execute"].get<double>(), r["default whole"].get<double>(),
                  r["best execute"].get<double>(), r["best whole"].get<double>(),
                  r["set points"].get<double>(), r["memory"].get<double>());
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  Backend& backend_;
  const GpuCase& c_;
  bool adjoint_;
  const DeviceArray<double>& devicePoints_;
  const PeerPoints<Real>& peerPoints_;
  const Arguments& arguments_;
  std::map<std::string, double>& fftCeilings_;
  std::int64_t count_;
  DeviceArray<Complex> image_, samples_;
  DeviceArray<Complex> outImage_{std::size_t(c_.problem.pixels())}, outSamples_{std::size_t(count_)};
  Exact tuned_, checked_;
};

template <class Real>
json runCase(Backend& backend, const GpuCase& c, const Arguments& arguments,
             std::map<std::string, double>& fftCeilings) {
  const std::vector<double> points = c.points();
  const DeviceArray<double> devicePoints(points);
  const PeerPoints<Real> peerPoints(points, c.problem.dims);
  json rows = json::array();
  for (const bool adjoint : {true, false})
    rows.push_back(
        CaseRun<Real>(backend, c, adjoint, points, devicePoints, peerPoints, arguments, fftCeilings).run());
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
  const auto save = [&] {  // after each case: a run that is cut off keeps what it has
    if (!arguments.json.empty()) std::ofstream(arguments.json) << report.dump(1) << "\n";
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
    report["cases"].push_back(c.problem.precision == Precision::dbl
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
