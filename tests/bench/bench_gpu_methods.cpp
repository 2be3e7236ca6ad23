// Every method that the GPU offers for one direction, on the same kernel and grid, in turns:
// setting points and executing, device pointers, one stream. The other direction is left open, as
// in a plan for one direction. Errors are measured against exact sums. Long and short grids in 1-D,
// few points a cell and many, several images; 2-D (a frame of 320^2 pixels from 21 spokes among
// them) and 3-D beside them.
//
//   bench_gpu_methods MODULE [--json FILE] [--cases TEXT] [--methods TEXT] [--repeats N] [--bins X
// Y Z] [--large]
//                            [--reproducible]
#include <cstdio>

#include "engine/core/error.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/draws/draw_data.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, filter, methods, file;
  int repeats = 9;
  bool reproducible = false;
  Index3 bins{0, 0, 0};
  bool large = false;
};

struct Case {
  int dims;
  std::int64_t n;
  double density;  // M / N^d
  bool dbl;
  double accuracy, alpha;
  Points pattern = Points::random;
  std::int64_t images = 1;
};
constexpr Case cases[] = {{1, 1000000, 10, true, 1e-6, 1.581},
                          {1, 1000000, 10, false, 1e-3, 1.25},
                          {1, 847064, 0.368, true, 8e-7, 1.25},
                          {1, 479581, 0.727, true, 3e-4, 1.25, Points::gaussian},
                          {1, 232006, 0.02, false, 1e-4, 1.25, Points::gaussian},
                          {1, 6792, 7.63, false, 1e-3, 1.25, Points::gaussian},
                          {1, 4096, 256, false, 1e-3, 1.25},
                          {1, 20000, 50, true, 1e-12, 1.5},
                          {1, 100000, 10, false, 1e-3, 1.25, Points::random, 8},
                          {1, 50000, 4, true, 1e-6, 1.5, Points::clustered},
                          {2, 1024, 4, false, 1e-3, 1.25},
                          {2, 512, 2, true, 1e-6, 1.5, Points::radial},
                          {2, 320, 0.13125, false, 1e-3, 1.25, Points::radial},
                          {3, 128, 1, false, 1e-3, 1.25},
                          {3, 128, 1, true, 1e-6, 1.5, Points::radial},
                          {3, 64, 13, true, 1e-4, 1.6},
                          {3, 64, 13, true, 1e-6, 1.75},
                          {3, 64, 6, true, 1e-9, 1.5, Points::random, 4},
                          {3, 128, 0.13, true, 1e-3, 1.25},
                          {3, 84, 12.9, false, 2.3e-2, 1.667, Points::stars},
                          {3, 64, 8, false, 7.5e-3, 1.4, Points::radial},
                          {3, 37, 38, false, 1e-2, 1.6, Points::gaussian},
                          {3, 256, 1, false, 1e-3, 1.25},
                          {2, 512, 4, true, 1e-12, 1.5},
                          {2, 1024, 0.1, true, 1e-9, 1.6},
                          {2, 1024, 0.4, true, 1e-11, 1.6},
                          {2, 1024, 1.6, true, 1e-7, 1.6},
                          {2, 512, 4, true, 1e-5, 1.5, Points::random, 8},
                          {2, 512, 4, true, 1e-9, 1.5, Points::radial, 8},
                          {2, 544, 19, true, 1.6e-9, 1.5, Points::spirals, 3},
                          {1, 927368, 2.06, true, 7.6e-10, 1.5, Points::gaussian, 8},
                          {1, 5264, 1.128, true, 1e-9, 1.6, Points::clustered},
                          {2, 893, 9.79, false, 7.8e-4, 1.29, Points::radial},
                          {3, 140, 2.98, true, 4.5e-7, 1.714, Points::radial},
                          {1, 3000, 100, false, 6e-6, 1.674, Points::clustered},
                          {2, 272, 11.7, false, 6e-6, 1.674, Points::clustered},
                          {3, 40, 10, false, 6e-6, 1.674, Points::clustered},
                          {3, 204, 0.0663, false, 7.3e-6, 1.471, Points::radial},
                          {2, 256, 22.5, true, 4.4e-7, 1.66, Points::spirals},
                          {2, 240, 2.57, true, 7.7e-10, 1.749, Points::spirals, 8},
                          {3, 248, 0.0203, true, 2.8e-10, 1.452, Points::gaussian},
                          {3, 119, 0.0251, false, 4e-4, 1.345, Points::gaussian},
                          {3, 100, 0.0375, false, 2.2e-2, 1.2, Points::gaussian, 32},
                          {3, 134, 0.0853, false, 1.5e-2, 1.134, Points::radial, 7},
                          {3, 128, 1, false, 1e-3, 1.25, Points::random, 8},
                          {2, 1826, 0.05, false, 1e-3, 1.25, Points::random, 2},
                          {2, 320, 2, false, 1e-4, 1.5, Points::radial, 12},
                          {3, 96, 0.2, true, 1e-6, 1.5, Points::gaussian, 6}};
constexpr Case largeCases[] = {{3, 384, 1.7, false, 1e-3, 1.25, Points::gaussian},
                               {3, 256, 1, true, 1e-6, 1.6875},
                               {3, 256, 10, true, 1e-6, 1.6875}};

const char* patternText(Points p) {
  switch (p) {
    case Points::gaussian:
      return "gaussian";
    case Points::clustered:
      return "clustered";
    case Points::radial:
      return "radial";
    case Points::stars:
      return "stars";
    case Points::spirals:
      return "spirals";
    default:
      return "random";
  }
}

Draw drawOf(const Case& c, bool adjoint) {
  Draw d;
  d.adjoint = adjoint;
  d.c.problem.dims = c.dims;
  d.c.problem.size = {c.n, c.dims > 1 ? c.n : 1, c.dims > 2 ? c.n : 1};
  d.c.problem.precision = c.dbl ? Precision::double64 : Precision::single;
  d.c.problem.batch = c.images;
  d.c.pattern = c.pattern;
  d.c.density = c.density;
  d.c.accuracy = c.accuracy;
  char text[128];
  std::snprintf(text, sizeof text, "%d-D %lld %s %.0e %s M/N^d %.3g x %lld type %d", c.dims,
                static_cast<long long>(c.n), c.dbl ? "double" : "float", c.accuracy, patternText(c.pattern),
                c.density, static_cast<long long>(c.images), adjoint ? 1 : 2);
  d.c.name = text;
  return d;
}

template <class Real>
struct Runner {
  std::unique_ptr<Nufft<Real>> plan;
  Contender contender;
};

template <class Real>
json runCase(Backend& backend, const Draw& d, double alpha, const Arguments& a) {
  const DrawData<Real> data(d);
  NufftOptions common;
  common.accuracy = d.c.accuracy;
  common.alpha = alpha;
  common.normal = NormalMethod::later;
  common.bins = a.bins;
  common.reproducible = a.reproducible;
  json row{{"case", d.c.name}, {"points", data.count()}, {"accuracy", d.c.accuracy}, {"alpha", alpha}};
  const auto methods = d.adjoint ? backend.spreadMethods(d.c.problem, common)
                                 : backend.interpolateMethods(d.c.problem, common);
  std::vector<Runner<Real>> runners;
  for (const Method method : methods) {
    if (("," + a.methods + ",").find("," + std::string(methodName(method)) + ",") == std::string::npos &&
        !a.methods.empty())
      continue;
    NufftOptions options = common;
    (d.adjoint ? options.spread : options.interpolate) = method;
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
    }
  }
  for (int repeat = 0; repeat < a.repeats; ++repeat)
    for (Runner<Real>& r : runners) r.contender.time();
  for (const Runner<Real>& r : runners) {
    const Contender& c = r.contender;
    row["methods"].push_back({{"method", c.name},
                              {"set ms", 1e3 * c.setMedian()},
                              {"execute ms", 1e3 * c.runMedian()},
                              {"error", c.error},
                              {"memory MB", 1e-6 * double(r.plan->info().memory)},
                              {"plan", r.plan->info().description}});
    std::printf("%-52s %-32s set %8.3f execute %8.3f ms error %.1e%s\n", d.c.name.c_str(), c.name.c_str(),
                1e3 * c.setMedian(), 1e3 * c.runMedian(), c.error,
                c.error <= d.c.accuracy ? "" : " ABOVE THE ACCURACY");
  }
  std::fflush(stdout);
  return row;
}

void runAll(const Arguments& a) {
  const auto backend = loadCudaModule(a.module);
  json report{{"device", backend->badge()}, {"software", backend->fingerprint()},
              {"commit", versionCommit()},  {"date", timeNow()},
              {"repeats", a.repeats},       {"rows", json::array()}};
  const auto run = [&](const Case& c) {
    for (const bool adjoint : {true, false}) {
      const Draw d = drawOf(c, adjoint);
      if (d.c.name.find(a.filter) == std::string::npos) continue;
      report["rows"].push_back(c.dbl ? runCase<double>(*backend, d, c.alpha, a)
                                     : runCase<float>(*backend, d, c.alpha, a));
      save(a.file, report);  // after each case: a run that is cut off keeps what it has
    }
  };
  for (const Case& c : cases) run(c);
  if (!a.large) return;
  for (const Case& c : largeCases) run(c);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  return benchMain(
      argc, argv, "Every method of one direction on the GPU, in turns",
      [&](CLI::App& app) {
        app.add_option("module", a.module, "The CUDA module")->required();
        app.add_option("--cases", a.filter, "Only cases whose name holds this");
        app.add_option("--methods", a.methods, "Only these, with commas between them");
        app.add_option("--repeats", a.repeats, "Executions of each")->check(CLI::PositiveNumber);
        app.add_flag("--reproducible", a.reproducible, "The same bits in every run");
        app.add_option("--bins", a.bins, "Grid cells of a bin, x y z; the methods' choice without it");
        app.add_flag("--large", a.large,
                     "Also 10^8 points on 384^3, and 1.7 10^7 and 1.7 10^8 on 256^3 in double");
        addJson(app, a.file);
      },
      [&] { runAll(a); });
}
