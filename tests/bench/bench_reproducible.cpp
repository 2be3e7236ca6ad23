// The cost of NufftOptions::reproducible: for adjoint and normal operator of each case, the time of
// an execution
//   plan      of the plan that the fixed rule takes, with the switch
//   same      of the same plan without the switch: what the order of sums costs (on the GPU with the
//             methods that its tuner takes for this grid)
//   fastest   of the plan that the tuner finds without the switch
// in turns, medians over the rounds. On the CPU, and on the GPU where its module is given. There
// also exact sums with a field in single precision (Gdft), with and without the switch.
//
// One command: bench_reproducible --json FILE [--cuda MODULE [--gpu-alone]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/timing.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/trajectories.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;

namespace {

struct Case {
  std::string name;
  Pattern pattern;
  Index3 matrix;
  double acceleration;
  double accuracy;
  Precision precision;
  std::int64_t batch;
};

const Case cases[] = {
    {"radial 256^2", Pattern::radial2d, {256, 256, 1}, 1, 1e-3, Precision::single, 1},
    {"radial 256^2, 8 coils", Pattern::radial2d, {256, 256, 1}, 1, 1e-3, Precision::single, 8},
    {"spirals 256^2", Pattern::spiral2d, {256, 256, 1}, 1, 1e-4, Precision::single, 1},
    {"radial 96^3", Pattern::radial3d, {96, 96, 96}, 2, 1e-3, Precision::single, 1},
    {"radial 96^3, 1e-5", Pattern::radial3d, {96, 96, 96}, 2, 1e-5, Precision::single, 1},
    {"Gaussian 96^3", Pattern::gaussian, {96, 96, 96}, 2, 1e-3, Precision::single, 1},
    {"random 96^3", Pattern::random, {96, 96, 96}, 1, 1e-3, Precision::single, 1},
    {"random 96^3, double", Pattern::random, {96, 96, 96}, 2, 1e-7, Precision::double64, 1}};

struct Arguments : CaseArguments {
  std::string cuda;
  bool gpuAlone = false;
  int rounds = 7;
};

// Without the switch, the GPU's methods are the tuner's own.
Candidate unordered(const NufftBackend& backend, const NufftProblem& problem, Candidate plan) {
  plan.options.reproducible = false;
  if (backend.name() == "cpu") return plan;
  plan.options.spread = plan.options.interpolate = Method::automatic;
  plan.options.spread = backend.spreadMethods(problem, plan.options).front();
  plan.options.interpolate = backend.interpolateMethods(problem, plan.options).front();
  return plan;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::json rowOf(NufftBackend& backend, const TuneRequest& request, int rounds) {
  NufftBackend* const one[] = {&backend};
  TuneRequest free = request, fixed = request;
  fixed.options.reproducible = true;
  const TuneResult tuned = tune(one, free, nullptr, {}), ruled = tune(one, fixed, nullptr, {});
  const Candidate plan = ruled.candidates[std::size_t(ruled.best)];
  const Candidate entries[] = {plan, unordered(backend, request.problem, plan),
                               tuned.candidates[std::size_t(tuned.best)]};
  std::vector<double> seconds[std::size(entries)];
  TimingData data(request);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(entries); ++i) {
      Candidate c = entries[i];
      timeCandidate(backend, entries[i].options.reproducible ? fixed : free, c, data, {}, {});
      if (!c.refused.empty()) throw Error("Cannot time " + describe(c), c.refused, "");
      seconds[i].push_back(c.timings.total);
    }
  const double with = median(seconds[0]), same = median(seconds[1]), fastest = median(seconds[2]);
  return {{"backend", backend.name()},       {"plan", describe(plan)},     {"same", describe(entries[1])},
          {"fastest", describe(entries[2])}, {"plan_seconds", with},       {"same_seconds", same},
          {"fastest_seconds", fastest},      {"order_ratio", with / same}, {"ratio", with / fastest}};
}

// Exact sums of a scan in a field, on the GPU.
struct FieldCase {
  std::string name;
  GdftMethod method;
  Index3 matrix;
  std::int64_t shots, length;
};

const FieldCase fieldCases[] = {
    {"Gdft 64^2", GdftMethod::tiled, {64, 64, 1}, 16, 1024},
    {"Gdft 256^2", GdftMethod::tiled, {256, 256, 1}, 64, 4096},
    {"Gdft 64^3", GdftMethod::tiled, {64, 64, 64}, 128, 1024},
    {"Gdft 256^2, shared times", GdftMethod::sharedTimes, {256, 256, 1}, 64, 4096},
    {"Gdft 64^3, shared times", GdftMethod::sharedTimes, {64, 64, 64}, 128, 1024}};

GdftProblem problemOf(const FieldCase& c) {
  constexpr double duration = 0.02, radiansPerSecond = 600;
  GdftProblem p;
  p.dims = c.matrix[2] > 1 ? 3 : 2;
  p.matrix = c.matrix;
  p.method = c.method;
  p.shots = c.shots;
  // A golden-ratio sequence in each dimension covers k-space evenly.
  constexpr double steps[] = {0.8191725134, 0.6710436067, 0.5497004779};
  for (std::int64_t j = 0; j < c.shots * c.length; ++j) {
    for (int d = 0; d < p.dims; ++d)
      p.points.push_back((std::fmod(double(j) * steps[d], 1.0) - 0.5) * double(c.matrix[std::size_t(d)]));
    p.times.push_back(duration * double(j % c.length) / double(c.length));
  }
  for (std::int64_t i = 0; i < p.pixels(); ++i)
    p.field.push_back(radiansPerSecond * std::sin(0.003 * double(i)));
  return p;
}

// Seconds of a direction with the switch and without, in turns.
nlohmann::json fieldRowOf(Backend& backend, const FieldCase& c, bool forward, int rounds) {
  GdftProblem problem = problemOf(c);
  const std::vector<cfloat> in(std::size_t(forward ? problem.pixels() : problem.samples()),
                               cfloat(0.3F, 0.7F));
  std::vector<cfloat> out(std::size_t(forward ? problem.samples() : problem.pixels()));
  std::unique_ptr<SampleTransform<float>> transforms[2];
  for (const bool fixed : {false, true}) {
    problem.reproducible = fixed;
    transforms[fixed] = backend.gdft<float>(problem);
  }
  std::vector<double> seconds[2];
  for (int round = -1; round < rounds; ++round)  // the first one warms up
    for (const bool fixed : {false, true}) {
      const StageTimings timings = timedStages([&] {
        if (forward)
          transforms[fixed]->forward(in.data(), out.data(), 1, {}, {});
        else
          transforms[fixed]->adjoint(in.data(), out.data(), 1, {}, {});
      });
      if (round >= 0) seconds[fixed].push_back(timings.total);
    }
  const double with = median(seconds[1]), same = median(seconds[0]);
  return {{"backend", backend.name()},   {"plan", transforms[1]->description()},
          {"plan_seconds", with},        {"same_seconds", same},
          {"fastest_seconds", same},     {"order_ratio", with / same},
          {"ratio", with / same},        {"case", c.name},
          {"points", problem.samples()}, {"direction", forward ? "forward" : "adjoint"}};
}

void print(const nlohmann::json& row) {
  std::printf("%-24s %-8s %-5s %8.2f ms, the same plan without %8.2f ms, the fastest %8.2f ms: %.2f x\n",
              row["case"].get<std::string>().c_str(), row["direction"].get<std::string>().c_str(),
              row["backend"].get<std::string>().c_str(), 1e3 * row["plan_seconds"].get<double>(),
              1e3 * row["same_seconds"].get<double>(), 1e3 * row["fastest_seconds"].get<double>(),
              row["ratio"].get<double>());
  std::fflush(stdout);
}

void run(const Arguments& arguments) {
  std::vector<std::unique_ptr<Backend>> backends;
  if (!arguments.gpuAlone || arguments.cuda.empty()) backends.push_back(makeCpuBackend());
  if (!arguments.cuda.empty()) backends.push_back(loadCudaModule(arguments.cuda));
  nlohmann::json report = machineReport(), rows = nlohmann::json::array();
  report["threads"] = arguments.threadCount();
  report["rounds"] = arguments.rounds;
  if (!arguments.cuda.empty()) report["gpu"] = backends.back()->badge();
  for (const Case& c : cases) {
    if (!arguments.wants(c.name)) continue;
    TrajectoryOptions pattern;
    pattern.pattern = c.pattern;
    pattern.matrix = c.matrix;
    pattern.acceleration = c.acceleration;
    const Trajectory trajectory = generateTrajectory(pattern);
    TuneRequest request;
    request.problem.dims = trajectory.dims;
    request.problem.size = c.matrix;
    request.problem.precision = c.precision;
    request.problem.batch = c.batch;
    std::vector<double> points(trajectory.points.begin(), trajectory.points.end());
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] /= double(c.matrix[i % std::size_t(trajectory.dims)]);
    request.points = points;
    request.options.accuracy = c.accuracy;
    request.options.threads = arguments.threadCount();
    request.mustTime = true;
    for (const auto& backend : backends)
      for (const Direction direction : {Direction::adjoint, Direction::normal}) {
        request.workload.direction = direction;
        nlohmann::json row = rowOf(*backend, request, arguments.rounds);
        row["case"] = c.name;
        row["direction"] = directionName(direction);
        row["points"] = trajectory.samples();
        print(row);
        rows.push_back(std::move(row));
      }
  }
  for (const FieldCase& c : fieldCases)
    for (const bool forward : {true, false}) {
      if (arguments.cuda.empty() || !arguments.wants(c.name)) continue;
      rows.push_back(fieldRowOf(*backends.back(), c, forward, arguments.rounds));
      print(rows.back());
    }
  for (const auto& backend : backends) {
    Ratios order, whole;
    for (const nlohmann::json& row : rows) {
      if (row["backend"] != backend->name()) continue;
      const std::string name = row["case"].get<std::string>() + ", " + row["direction"].get<std::string>();
      order.add(name, row["order_ratio"]);
      whole.add(name, row["ratio"]);
    }
    if (order.count() > 0)
      report["summary"][backend->name()] = {{"order", order.json()}, {"whole", whole.json()}};
  }
  report["rows"] = std::move(rows);
  std::printf("%s\n", report["summary"].dump(1).c_str());
  save(arguments.json, report);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "What reproducible transforms cost",
      [&](CLI::App& app) {
        arguments.add(app);
        app.add_option("--cuda", arguments.cuda, "The CUDA module; else the CPU alone");
        app.add_flag("--gpu-alone", arguments.gpuAlone, "Leave the CPU out where there is a module");
        app.add_option("--rounds", arguments.rounds, "Times that all plans are timed")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
      },
      [&] { run(arguments); });
}
