// The FFT of plans on the GPU in float (--double: in double), image to grid and back with padding,
// cropping and deapodization, and the time to make a plan: beside cuFFT alone, which neither pads
// nor deapodizes, on the grid that is asked for, and beside the plans of another build of the
// module. In turns, device time from events; ratios are the other's time over ours.
//
//   bench_gpu_fft MODULE [--beside MODULE] [--json FILE] [--cases TEXT] [--repeats N] [--double]
#include <complex>
#include <cstdio>
#include <optional>
#include <random>
#include <type_traits>

#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"
#include "tests/bench/gpu_timing.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, beside, filter, file;
  int repeats = 15;
  bool dbl = false;
};

struct Case {
  int dims;
  Index3 size;
  double alpha;
};
// Short, middle and long lines, equal and unequal sides; most had no passes, or come to have them
// on a larger grid.
constexpr Case cases[] = {{2, {32, 32, 1}, 1.25},     {2, {56, 72, 1}, 1.25},     {2, {94, 94, 1}, 1.5},
                          {2, {180, 200, 1}, 1.25},   {2, {320, 320, 1}, 1.375},  {2, {421, 353, 1}, 1.25},
                          {2, {512, 512, 1}, 1.25},   {2, {969, 919, 1}, 1.25},   {2, {1024, 1024, 1}, 1.25},
                          {2, {1024, 1024, 1}, 2},    {2, {1280, 1280, 1}, 1.25}, {2, {1500, 1500, 1}, 1.2},
                          {2, {1751, 2013, 1}, 1.15}, {2, {1920, 1920, 1}, 1.25}, {2, {2129, 2439, 1}, 1.12},
                          {2, {1352, 1352, 1}, 1.4},  {2, {1826, 1826, 1}, 1.25}, {2, {2500, 2500, 1}, 1.25},
                          {2, {3200, 3200, 1}, 1.25}, {3, {30, 30, 30}, 1.25},    {3, {51, 51, 51}, 1.25},
                          {3, {60, 68, 58}, 1.25},    {3, {72, 88, 64}, 1.5},     {3, {100, 100, 100}, 1.25},
                          {3, {121, 109, 133}, 1.25}, {3, {160, 160, 160}, 1.4},  {3, {200, 240, 180}, 1.25},
                          {3, {256, 256, 256}, 1.5},  {1, {200, 1, 1}, 1.25},     {1, {800, 1, 1}, 1.25},
                          {1, {1632, 1, 1}, 1.25},    {1, {3000, 1, 1}, 1.25},    {1, {6543, 1, 1}, 1.25},
                          {1, {10549, 1, 1}, 1.7},    {1, {21000, 1, 1}, 1.25},   {1, {40000, 1, 1}, 1.25},
                          {1, {60000, 1, 1}, 1.5},    {1, {100000, 1, 1}, 1.25}};

// One plan, and what was measured of it.
template <class Real>
struct Timed {
  using Value = std::complex<Real>;
  Backend& backend;
  std::unique_ptr<Nufft<Real>> plan;
  std::vector<double> making, toGrid, toImage;
  bool passes = false;  // Spokelab's passes, which deapodize on their way

  void turn(const NufftProblem& problem, const NufftOptions& options, const std::vector<double>& points,
            const std::vector<Value>& image, std::vector<Value>& samples) {
    std::vector<Value> back(image.size());
    plan.reset();
    const double begun = now();
    plan = backend.plan<Real>(problem, options);
    making.push_back(now() - begun);
    plan->setPoints(points);
    StageTimings forward, adjoint;
    for (int run = 0; run < 2; ++run) {  // the first warms up
      forward = timedStages([&] { plan->forward(image.data(), samples.data()); });
      adjoint = timedStages([&] { plan->adjoint(samples.data(), back.data()); });
    }
    passes = forward[Stage::deapodize] == 0;
    toGrid.push_back(forward[Stage::fft] + forward[Stage::deapodize]);
    toImage.push_back(adjoint[Stage::fft] + adjoint[Stage::deapodize]);
  }
  double fft() const { return medianOf(toGrid) + medianOf(toImage); }
  json row() const {
    const PlanInfo& info = plan->info();
    return {{"grid", info.grid},
            {"passes", passes},
            {"plan ms", 1e3 * medianOf(making)},
            {"to grid ms", 1e3 * medianOf(toGrid)},
            {"to image ms", 1e3 * medianOf(toImage)}};
  }
};

template <class Real>
json rowOf(const Case& c, const Arguments& arguments, Backend& backend, Backend* other) {
  constexpr std::size_t count = 1000;
  NufftProblem problem;
  problem.dims = c.dims;
  problem.size = c.size;
  problem.precision = std::is_same_v<Real, double> ? Precision::double64 : Precision::single;
  NufftOptions options;
  options.accuracy = 1e-2;
  options.alpha = c.alpha;
  options.normal = NormalMethod::later;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> points(count * std::size_t(c.dims));
  for (double& k : points) k = uniform(random);
  const std::vector<std::complex<Real>> image(std::size_t(problem.pixels()), {1, 1});
  std::vector<std::complex<Real>> samples(count);
  Timed<Real> ours{backend, {}, {}, {}, {}};
  std::optional<Timed<Real>> beside;
  if (other) beside.emplace(Timed<Real>{*other, {}, {}, {}, {}});
  for (int i = 0; i < arguments.repeats; ++i) {
    ours.turn(problem, options, points, image, samples);
    if (beside) beside->turn(problem, options, points, image, samples);
  }
  const Index3 asked = gridSize(problem, c.alpha, ours.plan->info().options.width);
  const double library =
      fftSeconds(c.dims, asked, problem.precision == Precision::double64, arguments.repeats);
  json row = ours.row();
  row["case"] = sizeText(c.size, c.dims) + " alpha " + numberText(c.alpha, 3);
  row["grid asked"] = asked;
  row["cuFFT alone ms"] = 1e3 * library;
  row["ratio to cuFFT alone"] = 2 * library / ours.fft();
  if (beside) {
    row["beside"] = beside->row();
    row["ratio"] = beside->fft() / ours.fft();
    row["ratio of planning"] = medianOf(beside->making) / medianOf(ours.making);
  }
  return row;
}

void print(const json& row) {
  const auto side = [](const json& r) {
    std::printf(" %-16s%s plan %6.3f, %7.4f + %7.4f ms", r["grid"].dump().c_str(),
                r["passes"].get<bool>() ? " passes" : "       ", r["plan ms"].get<double>(),
                r["to grid ms"].get<double>(), r["to image ms"].get<double>());
  };
  std::printf("%-26s", row["case"].get<std::string>().c_str());
  side(row);
  std::printf(" | cuFFT alone %s %7.4f ms: %.2f", row["grid asked"].dump().c_str(),
              row["cuFFT alone ms"].get<double>(), row["ratio to cuFFT alone"].get<double>());
  if (row.contains("beside")) {
    std::printf(" | beside");
    side(row["beside"]);
    std::printf(": %.2f, planning %.2f", row["ratio"].get<double>(), row["ratio of planning"].get<double>());
  }
  std::printf("\n");
  std::fflush(stdout);
}

void run(const Arguments& arguments) {
  const auto backend = loadCudaModule(arguments.module);
  const auto other = arguments.beside.empty() ? nullptr : loadCudaModule(arguments.beside);
  json report{{"device", backend->badge()},
              {"date", timeNow()},
              {"version", versionText()},
              {"precision", arguments.dbl ? "double" : "float"}};
  json& rows = report["rows"] = json::array();
  Ratios fft, planning;
  for (const Case& c : cases) {
    const std::string name = sizeText(c.size, c.dims);
    if (name.find(arguments.filter) == std::string::npos) continue;
    rows.push_back(arguments.dbl ? rowOf<double>(c, arguments, *backend, other.get())
                                 : rowOf<float>(c, arguments, *backend, other.get()));
    const json& row = rows.back();
    print(row);
    if (!row.contains("ratio")) continue;
    fft.add(name, 1 / row["ratio"].get<double>());  // worst: the largest share of the other's time
    planning.add(name, 1 / row["ratio of planning"].get<double>());
  }
  if (fft.count() > 0) {
    report["summary"] = {{"share of the other's FFT", fft.json()},
                         {"share of its planning", planning.json()}};
    std::printf("%s\n", report["summary"].dump(1).c_str());
  }
  save(arguments.file, report);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "The FFT of GPU plans beside cuFFT alone",
      [&](CLI::App& app) {
        app.add_option("module", arguments.module, "The CUDA module's file")->required();
        app.add_option("--beside", arguments.beside, "Another build of it");
        app.add_option("--cases", arguments.filter, "Only cases whose size holds this");
        app.add_flag("--double", arguments.dbl, "In double precision");
        app.add_option("--repeats", arguments.repeats, "Turns")->check(CLI::PositiveNumber);
        addJson(app, arguments.file);
      },
      [&] { run(arguments); });
}
