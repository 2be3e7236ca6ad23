// Coils of a batch on the GPU: what spreading and interpolation take a coil where 8 or 32 go
// through the kernels together, beside one coil alone, with the same method, alpha and width. The
// first and the last coil are checked against exact sums.
//
//   bench_gpu_coils MODULE [--method NAME...] [--cases TEXT] [--coils N...] [--repeats N] [--json FILE]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/measure/rank_test.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_cases.h"
#include "tests/bench/gpu_exact.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, filter, json;
  std::vector<std::string> methods{"tensor", "fixed", "sm", "gm-sort"};
  std::vector<int> coils{8, 32};
  int repeats = 9;
};

struct CoilCase {
  const char* name;
  int dims;
  std::int64_t n;
  Points pattern;
  double density, accuracy;
};

const std::vector<CoilCase>& coilCases() {
  static const std::vector<CoilCase> all = {
      {"2-D 256 radial, 1e-2", 2, 256, Points::radial, 1, 1e-2},
      {"2-D 256 radial, M/N^d 8, 1e-3", 2, 256, Points::radial, 8, 1e-3},
      {"2-D 512 random, M/N^d 4, 1e-5", 2, 512, Points::random, 4, 1e-5},
      {"3-D 128 radial, 3e-2", 3, 128, Points::radial, 1, 3e-2},
      {"3-D 128 radial, 1e-2", 3, 128, Points::radial, 1, 1e-2},
      {"3-D 128 radial, 1e-3", 3, 128, Points::radial, 1, 1e-3},
      {"3-D 128 radial, 1e-4", 3, 128, Points::radial, 1, 1e-4},
      {"3-D 128 random, M/N^d 4, 1e-3", 3, 128, Points::random, 4, 1e-3},
      {"3-D 128 random, M/N^d 4, 1e-5", 3, 128, Points::random, 4, 1e-5},
      {"3-D 160 radial, 1e-3", 3, 160, Points::radial, 1, 1e-3},
  };
  return all;
}
constexpr double alpha = 1.5;
constexpr int checkedOutputs = 64;

std::vector<cfloat> draw(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<cfloat> values(static_cast<std::size_t>(count));
  for (cfloat& v : values) v = {normal(generator), normal(generator)};
  return values;
}

// Relative l2 error of one coil at some outputs.
double errorOf(const NufftProblem& one, bool adjoint, const DeviceArray<double>& points, std::int64_t count,
               const DeviceArray<cfloat>& in, const std::vector<cfloat>& out, std::int64_t coil) {
  const std::int64_t inSize = adjoint ? count : one.pixels(), outSize = adjoint ? one.pixels() : count;
  std::mt19937_64 generator(5);
  std::vector<std::int64_t> selection;
  for (int i = 0; i < checkedOutputs; ++i)
    selection.push_back(std::int64_t(generator() % std::uint64_t(outSize)));
  const auto exact = exactSums<float>(one, adjoint, points.get(), count, in.get() + coil * inSize, selection);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::norm(exact[i] - cdouble(out[std::size_t(coil * outSize + selection[i])]));
    norm += std::norm(exact[i]);
  }
  return std::sqrt(difference / norm);
}

json timeOf(NufftBackend& backend, const CoilCase& c, const std::vector<double>& points,
            const DeviceArray<double>& devicePoints, bool adjoint, Method method, int coils, int repeats) {
  NufftProblem problem;
  problem.dims = c.dims;
  problem.size = {c.n, c.n, c.dims == 3 ? c.n : 1};
  const NufftProblem one = problem;
  problem.batch = coils;
  NufftOptions options;
  options.accuracy = c.accuracy;
  options.alpha = alpha;
  options.spread = options.interpolate = method;
  const auto plan = backend.plan<float>(problem, options);
  plan->setPoints(points);
  const std::int64_t count = plan->points();
  const DeviceArray<cfloat> in(draw((adjoint ? count : one.pixels()) * coils, 3));
  const DeviceArray<cfloat> out(std::size_t((adjoint ? one.pixels() : count) * coils));
  std::vector<double> kernel, whole;
  for (int repeat = -2; repeat < repeats; ++repeat) {
    const Execution execution{.devicePointers = true};
    const StageTimings timings = timedStages([&] {
      adjoint ? plan->adjoint(in.get(), out.get(), execution) : plan->forward(in.get(), out.get(), execution);
    });
    if (repeat < 0) continue;
    kernel.push_back(timings.interpolation());
    whole.push_back(timings.total);
  }
  const std::vector<cfloat> result = out.read();
  double error = 0;
  for (const int coil : {0, coils - 1})
    error = std::max(error, errorOf(one, adjoint, devicePoints, count, in, result, coil));
  return {{"coils", coils},
          {"kernel ms a coil", medianOf(kernel) / coils * 1e3},
          {"execute ms a coil", medianOf(whole) / coils * 1e3},
          {"error", error},
          {"plan", plan->info().description}};
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Coils together beside one alone, on the GPU",
      [&](CLI::App& app) {
        app.add_option("module", arguments.module, "The CUDA module")->required();
        app.add_option("--method", arguments.methods, "Of spreading and interpolation");
        app.add_option("--cases", arguments.filter, "Only cases whose name holds this");
        app.add_option("--coils", arguments.coils, "");
        app.add_option("--repeats", arguments.repeats, "")->capture_default_str();
        addJson(app, arguments.json);
      },
      [&] {
        const auto backend = loadCudaModule(arguments.module);
        json report = machineReport();
        report["gpu"] = backend->fingerprint();
        report["alpha"] = alpha;
        for (const CoilCase& c : coilCases()) {
          if (std::string(c.name).find(arguments.filter) == std::string::npos) continue;
          GpuCase source;
          source.problem.dims = c.dims;
          source.problem.size = {c.n, c.n, c.dims == 3 ? c.n : 1};
          source.pattern = c.pattern;
          source.density = c.density;
          const std::vector<double> points = source.points();
          const DeviceArray<double> devicePoints(points);
          for (const std::string& name : arguments.methods)
            for (const bool adjoint : {true, false}) {
              json row{{"case", c.name}, {"method", name}, {"direction", adjoint ? "type 1" : "type 2"}};
              const auto measure = [&](int coils) {
                return timeOf(*backend, c, points, devicePoints, adjoint, methodFromName(name), coils,
                              arguments.repeats);
              };
              try {
                row["one"] = measure(1);
                std::printf("%s, %s, %s: %.4f ms", c.name, name.c_str(), adjoint ? "type 1" : "type 2",
                            row["one"]["kernel ms a coil"].get<double>());
                for (const int coils : arguments.coils) {
                  json many = measure(coils);
                  many["faster"] =
                      row["one"]["kernel ms a coil"].get<double>() / many["kernel ms a coil"].get<double>();
                  std::printf("; %d coils %.4f ms a coil, x %.2f, error %.1e", coils,
                              many["kernel ms a coil"].get<double>(), many["faster"].get<double>(),
                              many["error"].get<double>());
                  row["together"].push_back(std::move(many));
                }
                std::printf("\n");
                std::fflush(stdout);
              } catch (const Error& refused) {  // a method that does not serve this direction or width
                row["refused"] = refused.what();
              }
              report["rows"].push_back(std::move(row));
              save(arguments.json, report);  // a run that is cut off keeps what it has
            }
        }
      });
}
