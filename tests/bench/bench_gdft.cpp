// Gdft and GdftR2 on the CPU: sample-pixel pairs a second, beside the same threads doing only a
// sine, a cosine and four fused multiply-adds on registers, in turns; and the error against double
// sums.
//   bench_gdft [--samples M] [--matrix N] [--repeats R] [--json FILE]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "engine/core/measure/rank_test.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/field/field_gradient.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/field/gdft/gdft_loops.h"
#include "tests/bench/bench_program.h"

using namespace spokelab;

namespace {

struct Arguments {
  std::int64_t samples = 8192, matrix = 128;
  int repeats = 7;
  std::string json;
};

GdftProblem makeProblem(const Arguments& a, double largestPhase, bool intravoxel) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  GdftProblem p;
  p.dims = 2;
  p.matrix = {a.matrix, a.matrix, 1};
  constexpr double longest = 0.05;
  for (std::int64_t j = 0; j < a.samples; ++j) {
    p.points.push_back(u(random) * double(a.matrix) / 2);
    p.points.push_back(u(random) * double(a.matrix) / 2);
    p.times.push_back(longest * (0.5 + 0.5 * u(random)));
  }
  for (std::int64_t i = 0; i < product(p.matrix); ++i) p.field.push_back(largestPhase / longest * u(random));
  p.intravoxel = intravoxel;
  if (intravoxel) p.gradient = fieldGradient(p.field, p.matrix, 2);
  return p;
}

// Pairs a second of the ceiling, all threads.
template <class Real>
double ceilingRate() {
  constexpr std::int64_t vectors = 4'000'000;
  const int tasks = 4 * hardwareThreads();
  std::vector<Real> sinks(std::size_t(tasks), Real(0));
  std::vector<int> lanes(std::size_t(tasks), 0);
  const double start = now();
  parallelTasks(tasks, 0, [&](std::int64_t i) {
    lanes[std::size_t(i)] = gdftLoops<Real>().ceiling(vectors, &sinks[std::size_t(i)]);
  });
  const double seconds = now() - start;
  for (Real s : sinks)
    if (!std::isfinite(s)) std::puts("the ceiling's sums are not finite");
  return double(vectors) * lanes.front() * tasks / seconds;
}

template <class Real>
nlohmann::json measure(const Arguments& a, const char* name, double phase, bool intravoxel) {
  const GdftProblem p = makeProblem(a, phase, intravoxel);
  const auto transform = makeCpuGdft<Real>(p);
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  std::vector<cdouble> exact(std::size_t(p.pixels()));
  for (auto& v : exact) v = {g(random), g(random)};
  const std::vector<std::complex<Real>> image(exact.begin(), exact.end());
  std::vector<std::complex<Real>> samples(std::size_t(p.samples())), back(image.size());
  std::vector<double> forward, adjoint, ceiling;
  const double pairs = double(p.samples()) * double(p.pixels());
  for (int r = -1; r < a.repeats; ++r) {  // the first warms up
    const double c = ceilingRate<Real>();
    double start = now();
    transform->forward(image.data(), samples.data(), 1);
    const double f = pairs / (now() - start);
    start = now();
    transform->adjoint(samples.data(), back.data(), 1);
    const double b = pairs / (now() - start);
    if (r < 0) continue;
    ceiling.push_back(c);
    forward.push_back(f);
    adjoint.push_back(b);
  }
  std::vector<std::int64_t> chosen;
  for (std::int64_t j = 0; j < p.samples(); j += p.samples() / 64) chosen.push_back(j);
  const auto truth = gdftDirect(p, exact, chosen);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    difference += std::norm(cdouble(samples[std::size_t(chosen[i])]) - truth[i]);
    norm += std::norm(truth[i]);
  }
  const double error = std::sqrt(difference / norm);
  const double c = medianOf(ceiling), f = medianOf(forward), b = medianOf(adjoint);
  std::printf("%-34s %-6s forward %.2e pairs/s (%2.0f%% of %.2e), adjoint %.2e (%2.0f%%), error %.1e\n", name,
              sizeof(Real) == 4 ? "float" : "double", f, 100 * f / c, c, b, 100 * b / c, error);
  return {{"case", name},           {"precision", sizeof(Real) == 4 ? "float" : "double"},
          {"forward", f},           {"adjoint", b},
          {"ceiling", c},           {"forward-ratio", f / c},
          {"adjoint-ratio", b / c}, {"error", error}};
}

void run(const Arguments& a) {
  nlohmann::json results = {{"cpu", processorName()},       {"set", instructionSetName(instructionSet())},
                            {"threads", hardwareThreads()}, {"commit", versionCommit()},
                            {"samples", a.samples},         {"matrix", a.matrix},
                            {"repeats", a.repeats}};
  auto& cases = results["cases"];
  cases.push_back(measure<float>(a, "Gdft, 30 rad of field", 30, false));
  cases.push_back(measure<float>(a, "Gdft, 2000 rad of field", 2000, false));
  cases.push_back(measure<float>(a, "GdftR2, 30 rad of field", 30, true));
  cases.push_back(measure<double>(a, "Gdft, 2000 rad of field", 2000, false));
  cases.push_back(measure<double>(a, "GdftR2, 30 rad of field", 30, true));
  bench::save(a.json, results);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  return bench::benchMain(
      argc, argv, "Gdft and GdftR2 on the CPU beside their ceiling",
      [&](CLI::App& app) {
        app.add_option("--samples", a.samples, "Samples")->check(CLI::PositiveNumber);
        app.add_option("--matrix", a.matrix, "Pixels a side")->check(CLI::PositiveNumber);
        app.add_option("--repeats", a.repeats, "Repeats")->check(CLI::PositiveNumber);
        bench::addJson(app, a.json);
      },
      [&] { run(a); });
}
