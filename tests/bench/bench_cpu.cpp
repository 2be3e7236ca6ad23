// The CPU's transforms beside a peer's, at equal measured error: 2-D 512^2 and 3-D 128^3, radial and random points,
// M = N^d, float 1e-3 and double 1e-9, one and all threads, both directions.
//
// The peer runs at its default choice of oversampling and at the two it is best known for; the fastest counts.
// What it reaches (against exact sums at random outputs) is then asked of us: alpha and width are found by timing,
// as the tuner does, and the error of the plan chosen is measured the same way. Then both run in turns, and medians
// of execute and of set-points + execute are compared.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/error_model.h"
#include "engine/nufft/nudft.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/tune.h"
#include "engine/profile/results.h"
#include "tests/bench/peer.h"

using namespace spokelab;
using spokelab::bench::makePeer;
using spokelab::bench::peerFound;

namespace {

constexpr int checkedOutputs = 200;
constexpr auto spinTime = std::chrono::milliseconds(30);
constexpr double goldenAngle = 2.399963229728653;

struct Arguments {
  std::string filter, json;
  int threads = 0;  // 0: one and all
  int repeats = 11;
  double alpha = 0;     // 0: found by timing
  double accuracy = 0;  // 0: what the peer reaches
};

struct Case {
  std::string name, pattern;
  NufftProblem problem;
  double tolerance = 1e-3;
};

std::vector<double> makePoints(const Case& c) {
  const auto n = static_cast<std::int64_t>(c.problem.size[0]);
  std::vector<double> points;
  points.reserve(static_cast<std::size_t>(c.problem.dims * c.problem.pixels()));
  if (c.pattern == "random") {
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (std::int64_t i = 0; i < c.problem.dims * c.problem.pixels(); ++i)
      points.push_back(uniform(generator));
    return points;
  }
  const std::int64_t spokes = c.problem.pixels() / n;
  for (std::int64_t s = 0; s < spokes; ++s) {
    double direction[3];
    const double angle = goldenAngle * static_cast<double>(s);
    const double height = 1 - 2 * (static_cast<double>(s) + 0.5) / static_cast<double>(spokes);
    const double radius = c.problem.dims == 2 ? 1 : std::sqrt(1 - height * height);
    direction[0] = radius * std::cos(angle);
    direction[1] = radius * std::sin(angle);
    direction[2] = height;
    for (std::int64_t i = 0; i < n; ++i) {
      const double r = (static_cast<double>(i) - static_cast<double>(n / 2)) / static_cast<double>(n);
      for (int d = 0; d < c.problem.dims; ++d) points.push_back(r * direction[d]);
    }
  }
  return points;
}

template <class Real>
std::vector<std::complex<Real>> randomData(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<Real> normal;
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& value : data) value = {normal(generator), normal(generator)};
  return data;
}

double seconds(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// (p75 - p25) / median
double scatter(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[values.size() * 3 / 4] - values[values.size() / 4]) / values[values.size() / 2];
}

// One direction of one case: the data, and exact values at a few outputs.
template <class Real>
struct Trial {
  using Complex = std::complex<Real>;
  const Case& c;
  bool adjoint;
  const std::vector<double>& points;
  std::vector<Complex> image, samples;
  std::vector<std::int64_t> selection;
  std::vector<cdouble> exact;

  Trial(const Case& theCase, bool isAdjoint, const std::vector<double>& thePoints)
      : c(theCase), adjoint(isAdjoint), points(thePoints) {
    const auto count = static_cast<std::int64_t>(points.size()) / c.problem.dims;
    image = randomData<Real>(c.problem.pixels(), 2);
    samples = randomData<Real>(count, 3);
    std::mt19937_64 generator(4);
    std::uniform_int_distribution<std::int64_t> any(0, (adjoint ? c.problem.pixels() : count) - 1);
    for (int i = 0; i < checkedOutputs; ++i) selection.push_back(any(generator));
    const std::vector<Complex>& in = adjoint ? samples : image;
    const std::vector<cdouble> input(in.begin(), in.end());
    exact = adjoint ? nudftAdjoint(c.problem, points, input, selection)
                    : nudftForward(c.problem, points, input, selection);
  }

  double error() const {
    const std::vector<Complex>& out = adjoint ? image : samples;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < selection.size(); ++i) {
      difference += std::norm(cdouble(out[static_cast<std::size_t>(selection[i])]) - exact[i]);
      norm += std::norm(exact[i]);
    }
    return std::sqrt(difference / norm);
  }

  void execute(Nufft<Real>& plan, StageTimings* timings = nullptr) {
    Execution execution;
    execution.timings = timings;
    if (adjoint)
      plan.adjoint(samples.data(), image.data(), execution);
    else
      plan.forward(image.data(), samples.data(), execution);
  }
  void execute(bench::Peer<Real>& peer) { peer.execute(image.data(), samples.data()); }
};

template <class Real>
std::unique_ptr<Nufft<Real>> makePlan(const Case& c, double accuracy, double alpha, int threads) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.alpha = alpha;
  options.threads = threads;
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(c.problem, options);
  else
    return makeCpuNufftDouble(c.problem, options);
}

template <class Real>
double bestOf(int repeats, Trial<Real>& trial, auto& plan) {
  double best = 1e300;
  std::this_thread::sleep_for(spinTime);
  for (int i = 0; i < repeats; ++i) best = std::min(best, seconds([&] { trial.execute(plan); }));
  return best;
}

// Ratios worth timing: from 1.1 on, in steps of 3% or more.
std::vector<double> candidateAlphas(const NufftProblem& problem) {
  std::vector<double> result;
  for (double alpha : fastAlphas(problem)) {
    if (alpha >= (result.empty() ? 1.1 : 1.03 * result.back())) result.push_back(alpha);
  }
  return result;
}

// Processes that wanted to run, averaged over a minute: what else the machine did.
double load() {
  double average = -1;
  return getloadavg(&average, 1) == 1 ? average : -1;
}

// The fastest plan that reaches the accuracy.
template <class Real>
std::unique_ptr<Nufft<Real>> findPlan(Trial<Real>& trial, double accuracy, int threads, double fixedAlpha) {
  std::unique_ptr<Nufft<Real>> best;
  double bestTime = 1e300;
  for (double alpha : fixedAlpha > 0 ? std::vector{fixedAlpha} : candidateAlphas(trial.c.problem)) {
    try {
      auto plan = makePlan<Real>(trial.c, accuracy, alpha, threads);
      plan->setPoints(trial.points);
      trial.execute(*plan);
      const double time = bestOf(2, trial, *plan);
      if (time < bestTime) {
        bestTime = time;
        best = std::move(plan);
      }
    } catch (const Error&) {
      continue;  // out of reach at this alpha
    }
  }
  return best;
}

template <class Real>
nlohmann::json runTrial(const Case& c, bool adjoint, int threads, const std::vector<double>& points,
                        const Arguments& arguments) {
  Trial<Real> trial(c, adjoint, points);
  nlohmann::json row{
      {"case", c.name},           {"direction", adjoint ? "adjoint" : "forward"},
      {"threads", threads},       {"points", points.size() / static_cast<std::size_t>(c.problem.dims)},
      {"requested", c.tolerance}, {"repeats", arguments.repeats}};
  double accuracy = arguments.accuracy > 0 ? arguments.accuracy : c.tolerance;
  std::unique_ptr<bench::Peer<Real>> peer;
  if (peerFound) {
    double bestTime = 1e300, peerAlpha = 0;
    for (double alpha : {0.0, 1.25, 2.0}) {
      auto candidate = makePeer<Real>(c.problem, adjoint, c.tolerance, alpha, threads, points);
      candidate->setPoints();
      trial.execute(*candidate);
      const double time = bestOf(3, trial, *candidate);
      if (time < bestTime) {
        bestTime = time;
        peer = std::move(candidate);
        peerAlpha = alpha;
      }
    }
    trial.execute(*peer);
    const double reached = trial.error();
    if (arguments.accuracy == 0) accuracy = reached;
    row["peer"] = {{"name", bench::peerName}, {"alpha", peerAlpha}, {"error", reached}};
  }
  const auto plan = findPlan<Real>(trial, accuracy, threads, arguments.alpha);
  if (!plan) throw Error("The bench cannot run", c.name + " is out of reach", "");
  trial.execute(*plan);
  row["error"] = trial.error();
  row["alpha"] = plan->info().options.alpha;
  row["width"] = plan->info().options.width;
  row["grid"] = plan->info().grid;
  row["degree"] = plan->info().polynomialDegree;
  row["plan"] = plan->info().description;

  std::vector<double> execute, whole, peerExecute, peerWhole;
  std::array<std::vector<double>, stageCount> stages;
  std::vector<double> sort;
  for (int i = 0; i < arguments.repeats; ++i) {
    // The peer's idle threads spin for some milliseconds; they would take a core from the next in turn.
    if (peer) std::this_thread::sleep_for(spinTime);
    StageTimings set, run;
    const double setTime = seconds([&] { plan->setPoints(points, &set); });
    const double time = seconds([&] { trial.execute(*plan, &run); });
    execute.push_back(time);
    whole.push_back(setTime + time);
    sort.push_back(set[Stage::sort]);
    for (int s = 0; s < stageCount; ++s)
      stages[static_cast<std::size_t>(s)].push_back(run.seconds[static_cast<std::size_t>(s)]);
    if (!peer) continue;
    std::this_thread::sleep_for(spinTime);
    const double peerSet = seconds([&] { peer->setPoints(); });
    const double peerTime = seconds([&] { trial.execute(*peer); });
    peerExecute.push_back(peerTime);
    peerWhole.push_back(peerSet + peerTime);
  }
  row["seconds"] = {{"execute", median(execute)}, {"set_and_execute", median(whole)}};
  row["scatter"] = scatter(execute);
  const double count = static_cast<double>(points.size()) / c.problem.dims;
  row["ns_per_point"] = {{"sort", 1e9 * median(sort) / count}};
  for (int s = 0; s < stageCount; ++s) {
    const double time = median(stages[static_cast<std::size_t>(s)]);
    if (time > 0)
      row["ns_per_point"][std::string(stageNames[static_cast<std::size_t>(s)])] = 1e9 * time / count;
  }
  if (peer) {
    row["peer"]["seconds"] = {{"execute", median(peerExecute)}, {"set_and_execute", median(peerWhole)}};
    row["peer"]["scatter"] = scatter(peerExecute);
    row["ratio"] = {{"execute", median(execute) / median(peerExecute)},
                    {"set_and_execute", median(whole) / median(peerWhole)}};
  }
  return row;
}

void print(const nlohmann::json& row) {
  const auto& own = row["seconds"];
  std::printf("%-22s %-7s %2d | a %.3f W %5.2f err %.1e exec %8.2f ms set+exec %8.2f ms |",
              row["case"].get<std::string>().c_str(), row["direction"].get<std::string>().c_str(),
              row["threads"].get<int>(), row["alpha"].get<double>(), row["width"].get<double>(),
              row["error"].get<double>(), 1e3 * own["execute"].get<double>(),
              1e3 * own["set_and_execute"].get<double>());
  if (row.contains("ratio")) {
    const auto& peer = row["peer"];
    std::printf(" peer a %.2f err %.1e %8.2f %8.2f ms | ratio %.2f %.2f |", peer["alpha"].get<double>(),
                peer["error"].get<double>(), 1e3 * peer["seconds"]["execute"].get<double>(),
                1e3 * peer["seconds"]["set_and_execute"].get<double>(), row["ratio"]["execute"].get<double>(),
                row["ratio"]["set_and_execute"].get<double>());
  }
  for (const auto& [stage, ns] : row["ns_per_point"].items())
    std::printf(" %s %.1f", stage.c_str(), ns.get<double>());
  std::printf(" ns\n");
  std::fflush(stdout);
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const auto& [precision, tolerance] : {std::pair{Precision::single, 1e-3}, {Precision::dbl, 1e-9}}) {
    for (int dims : {2, 3}) {
      for (const char* pattern : {"radial", "random"}) {
        Case c;
        c.problem.dims = dims;
        c.problem.size = dims == 2 ? Index3{512, 512, 1} : Index3{128, 128, 128};
        c.problem.precision = precision;
        c.pattern = pattern;
        c.tolerance = tolerance;
        c.name = std::string(dims == 2 ? "512^2" : "128^3") + " " + pattern +
                 (precision == Precision::single ? " float" : " double");
        cases.push_back(c);
      }
    }
  }
  return cases;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--cases")
      arguments.filter = value;
    else if (name == "--json")
      arguments.json = value;
    else if (name == "--threads")
      arguments.threads = std::stoi(value);
    else if (name == "--repeats")
      arguments.repeats = std::stoi(value);
    else if (name == "--alpha")
      arguments.alpha = std::stod(value);
    else if (name == "--accuracy")
      arguments.accuracy = std::stod(value);
    else
      throw Error("Unknown argument", name,
                  "Use --cases TEXT, --threads N, --repeats N, --alpha A, --accuracy E, --json FILE");
  }
  return arguments;
}

void run(const Arguments& arguments) {
  nlohmann::json result{{"device", cpuBadge()},    {"fingerprint", cpuFingerprint()},
                        {"date", timeNow()},       {"version", versionText()},
                        {"peer", bench::peerName}, {"warm_up", "three executions"},
                        {"load_before", load()}};
  std::vector<int> threadCounts{1};
  if (hardwareThreads() > 1) threadCounts.push_back(hardwareThreads());
  if (arguments.threads > 0) threadCounts = {arguments.threads};
  for (const Case& c : allCases()) {
    if (c.name.find(arguments.filter) == std::string::npos) continue;
    const std::vector<double> points = makePoints(c);
    for (int threads : threadCounts) {
      for (bool adjoint : {true, false}) {
        const nlohmann::json row = c.problem.precision == Precision::single
                                       ? runTrial<float>(c, adjoint, threads, points, arguments)
                                       : runTrial<double>(c, adjoint, threads, points, arguments);
        print(row);
        result["rows"].push_back(row);
        result["load_after"] = load();  // saved after each row: a run that is cut off keeps what it has
        if (!arguments.json.empty()) std::ofstream(arguments.json) << result.dump(2) << "\n";
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
