// The stored interpolation matrix on the GPU: our own product with it ("sparse") beside cuSPARSE's
// ("cusparse") and the method that the backend ranks first, which stores nothing. The same kernel
// and grid for all; 2-D and 3-D, single and double precision, 1 and 8 coils, types 1 and 2. Each is
// timed in turns with the others: setting points, execution, and the product alone (the stage of
// spreading or interpolation, gathering included). Errors are measured against exact sums. --large
// adds a matrix whose entries 32 bits do not count.
//
//   bench_gpu_sparse MODULE [--json FILE] [--cases TEXT] [--repeats N] [--large]
#include <cstdio>
#include <map>

#include "engine/core/error.h"
#include "engine/profile/study/plan_race.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/draws/draw_data.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, filter, file;
  int repeats = 9;
  bool large = false;
};

struct Size {
  int dims;
  std::int64_t n;
  Points pattern;
  const char* patternName;
  double density;
};
constexpr Size sizes[] = {{2, 256, Points::radial, "radial", 2},
                          {2, 512, Points::random, "random", 1},
                          {3, 64, Points::radial, "radial", 2},
                          {3, 96, Points::random, "random", 1}};

constexpr double alpha = 1.5;

Draw drawOf(const Size& size, bool dbl, std::int64_t coils, bool adjoint) {
  Draw d;
  d.adjoint = adjoint;
  GpuCase& c = d.c;
  c.problem.dims = size.dims;
  c.problem.size = {size.n, size.n, size.dims == 3 ? size.n : 1};
  c.problem.precision = dbl ? Precision::double64 : Precision::single;
  c.problem.batch = coils;
  c.pattern = size.pattern;
  c.density = size.density;
  c.accuracy = dbl ? 1e-7 : 1e-3;
  c.name = std::to_string(size.n) + (size.dims == 3 ? "^3 " : "^2 ") + size.patternName +
           (dbl ? " double " : " float ") + std::to_string(coils) + (coils > 1 ? " coils" : " coil") +
           (adjoint ? " type 1" : " type 2");
  return d;
}

NufftOptions optionsOf(const Draw& d) {
  NufftOptions options;
  options.accuracy = d.c.accuracy;
  options.alpha = alpha;
  options.normal = NormalMethod::later;
  return options;
}

template <class Real>
struct Runner {
  std::unique_ptr<Nufft<Real>> plan;
  Contender contender;
  std::vector<StageTimings> stages;
};

// The stages of one more execution, which waits after each.
template <class Real>
StageTimings stagesOf(Nufft<Real>& plan, const TransformArrays<Real>& arrays) {
  StageTimings timings;
  const StageRecorder view(timings);
  Execution execution;
  execution.devicePointers = true;
  execution.stream = benchStream();
  if (arrays.adjoint)
    plan.adjoint(arrays.samples, arrays.outImage, execution);
  else
    plan.forward(arrays.image, arrays.outSamples, execution);
  return timings;
}

// methods: by name, the direction that is timed; the other one takes the same, or points sorted.
template <class Real>
json runMethods(Backend& backend, const Draw& d, const NufftOptions& common,
                const std::vector<Method>& methods, int repeats) {
  const DrawData<Real> data(d);
  json row{{"case", d.c.name},
           {"points", data.count()},
           {"coils", d.c.problem.batch},
           {"accuracy", d.c.accuracy},
           {"checked outputs", data.checked()}};
  std::vector<Runner<Real>> runners;
  for (const Method method : methods) {
    NufftOptions options = common;
    (d.adjoint ? options.spread : options.interpolate) = method;
    (d.adjoint ? options.interpolate : options.spread) = Method::pointSorted;
    try {
      Runner<Real> r;
      r.plan = backend.plan<Real>(d.c.problem, options);
      r.contender = contenderOf(*r.plan, data.arrays());
      r.contender.time();
      r.contender.error = data.error();
      r.contender.forgetTimes();
      runners.push_back(std::move(r));
    } catch (const Error& error) {
      row["refused"][std::string(methodName(method))] = error.reason();
      std::printf("  %s: %s\n", std::string(methodName(method)).c_str(), error.reason().c_str());
    }
  }
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (Runner<Real>& r : runners) {
      r.contender.time();
      r.stages.push_back(stagesOf(*r.plan, data.arrays()));
    }
  for (const Runner<Real>& r : runners) {
    const NufftOptions& o = r.plan->info().options;
    const double product = medianTimings(r.stages).interpolation();
    row["methods"].push_back({{"method", methodName(d.adjoint ? o.spread : o.interpolate)},
                              {"alpha", o.alpha},
                              {"width", o.width},
                              {"set points ms", 1e3 * r.contender.setMedian()},
                              {"execute ms", 1e3 * r.contender.runMedian()},
                              {"product ms", 1e3 * product},
                              {"memory MB", 1e-6 * double(r.plan->info().memory)},
                              {"plan", r.plan->info().description},
                              {"error", r.contender.error}});
    std::printf("%-38s %-34s set %9.3f execute %8.3f product %8.3f ms, error %.1e\n", d.c.name.c_str(),
                r.contender.name.c_str(), 1e3 * r.contender.setMedian(), 1e3 * r.contender.runMedian(),
                1e3 * product, r.contender.error);
  }
  std::fflush(stdout);
  return row;
}

json runCase(Backend& backend, const Draw& d, const NufftOptions& options, std::vector<Method> methods,
             int repeats) {
  return d.c.problem.precision == Precision::double64
             ? runMethods<double>(backend, d, options, methods, repeats)
             : runMethods<float>(backend, d, options, methods, repeats);
}

// Ours, the library's, and the first of those that store no matrix.
std::vector<Method> methodsFor(const Backend& backend, const Draw& d, const NufftOptions& options) {
  std::vector<Method> methods{Method::sparse, Method::cusparse};
  for (const Method m : d.adjoint ? backend.spreadMethods(d.c.problem, options)
                                  : backend.interpolateMethods(d.c.problem, options))
    if (!storesMatrix(m)) {
      methods.push_back(m);
      break;
    }
  return methods;
}

// 4.3 million points of 512 entries.
json runLarge(Backend& backend, bool adjoint, int repeats) {
  constexpr double width = 8, largeAlpha = 2;
  Draw d = drawOf({3, 80, Points::random, "random, more than 2^31 entries,", 8.5}, false, 1, adjoint);
  NufftOptions options = optionsOf(d);
  options.alpha = largeAlpha;
  options.width = width;
  return runCase(backend, d, options, {Method::sparse, Method::cusparse}, repeats);
}

// The library's time over ours: geometric means of the rows that have both, by coils.
json ratiosOf(const json& rows) {
  std::map<std::string, Ratios> ratios;
  for (const json& row : rows) {
    std::map<std::string, json> methods;
    for (const json& m : row.value("methods", json::array())) methods[m["method"]] = m;
    if (!methods.count("sparse") || !methods.count("cusparse")) continue;
    for (const char* what : {"product ms", "execute ms", "set points ms"}) {
      const std::string key =
          "cusparse over sparse, " + std::to_string(row["coils"].get<int>()) + " coil(s), " + what;
      ratios[key].add(row["case"],
                      methods["cusparse"][what].get<double>() / methods["sparse"][what].get<double>());
    }
  }
  json all;
  for (const auto& [name, r] : ratios) all[name] = r.json();
  return all;
}

void runAll(const Arguments& a) {
  const auto backend = loadCudaModule(a.module);
  json report{{"device", backend->badge()}, {"software", backend->fingerprint()},
              {"commit", versionCommit()},  {"date", timeNow()},
              {"repeats", a.repeats},       {"rows", json::array()}};
  const auto add = [&](json row) {
    report["rows"].push_back(std::move(row));
    report["ratios"] = ratiosOf(report["rows"]);
    save(a.file, report);  // after each case: a run that is cut off keeps what it has
  };
  for (const Size& size : sizes)
    for (const bool dbl : {false, true})
      for (const std::int64_t coils : {1, 8})
        for (const bool adjoint : {true, false}) {
          const Draw d = drawOf(size, dbl, coils, adjoint);
          if (d.c.name.find(a.filter) == std::string::npos) continue;
          const NufftOptions options = optionsOf(d);
          add(runCase(*backend, d, options, methodsFor(*backend, d, options), a.repeats));
        }
  if (a.large)
    for (const bool adjoint : {true, false}) add(runLarge(*backend, adjoint, a.repeats));
  std::printf("%s\n", report["ratios"].dump(1).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  return benchMain(
      argc, argv, "Products with the stored interpolation matrix: ours and cuSPARSE's",
      [&](CLI::App& app) {
        app.add_option("module", a.module, "The CUDA module")->required();
        app.add_option("--cases", a.filter, "Only cases whose name holds this");
        app.add_option("--repeats", a.repeats, "Executions of each")->check(CLI::PositiveNumber);
        app.add_flag("--large", a.large, "Also more entries than 32 bits count (about 50 GB)");
        addJson(app, a.file);
      },
      [&] { runAll(a); });
}
