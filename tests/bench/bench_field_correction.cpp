// Field correction on real geometry (powergrid_invivo): k-space by exact sums on twice the matrix,
// 8 modelled coils,
// 1 % noise; SENSE with exact, segmented and plain transforms, pcSENSE against SENSE on four shots.
//   bench_field_correction FOLDER [--iterations K] [--coils C] [--no-exact] [--json FILE]
// NRMSE over the pixels above a tenth of the peak, with the least-squares scale, against the scan's
// own image.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <random>

#include "engine/core/simd/cpu_features.h"
#include "engine/recon/density/density.h"
#include "engine/recon/density/pipe_menon.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/scan/formats/images/read_image.h"
#include "tests/bench/bench_program.h"
#include "tests/engine/recon/measures.h"

using namespace spokelab;

namespace {

namespace fs = std::filesystem;
constexpr double pi = std::numbers::pi;

struct Arguments {
  fs::path folder;
  int iterations = 12, coils = 8;
  bool exact = true;
  std::string json;
};

std::vector<double> column(const fs::path& file) {
  const Image image = readImage(file, {});
  std::vector<double> values;
  for (const cfloat& v : image.data) values.push_back(double(v.real()));
  return values;
}

cdouble coilAt(int c, int coils, double x, double y) {
  const double a = 2 * pi * c / coils;
  return std::polar(std::exp(-6 * (std::pow(x - 0.6 * std::cos(a), 2) + std::pow(y - 0.6 * std::sin(a), 2))),
                    2 * x * std::cos(a) + y);
}

// n x n -> 2n x 2n of the same k-space, zeros around it: sinc interpolation, axis by axis.
std::vector<cdouble> zeroFilled(const std::vector<cdouble>& image, std::int64_t n) {
  const std::int64_t m = 2 * n;
  std::vector<cdouble> matrix(std::size_t(m * n));  // [fine, coarse]
  for (std::int64_t f = 0; f < m; ++f)
    for (std::int64_t c = 0; c < n; ++c) {
      cdouble sum = 0;
      const double distance = (double(f) - m / 2.0) / 2 - (double(c) - n / 2.0);
      for (std::int64_t k = -n / 2; k < n / 2; ++k)
        sum += std::polar(1.0 / double(n), 2 * pi * double(k) * distance / double(n));
      matrix[std::size_t(f * n + c)] = sum;
    }
  std::vector<cdouble> rows(std::size_t(n * m)), result(std::size_t(m * m));
  parallelTasks(n, 0, [&](std::int64_t y) {
    for (std::int64_t f = 0; f < m; ++f)
      for (std::int64_t c = 0; c < n; ++c)
        rows[std::size_t(y * m + f)] += matrix[std::size_t(f * n + c)] * image[std::size_t(y * n + c)];
  });
  parallelTasks(m, 0, [&](std::int64_t f) {
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t x = 0; x < m; ++x)
        result[std::size_t(f * m + x)] += matrix[std::size_t(f * n + c)] * rows[std::size_t(c * m + x)];
  });
  return result;
}

// Linear, onto twice the matrix; constant beyond the last pixels.
std::vector<double> interpolated(const std::vector<double>& map, std::int64_t n) {
  std::vector<double> result(std::size_t(4 * n * n));
  const auto at = [&](std::int64_t x, std::int64_t y) {
    return map[std::size_t(std::min(y, n - 1) * n + std::min(x, n - 1))];
  };
  for (std::int64_t y = 0; y < 2 * n; ++y)
    for (std::int64_t x = 0; x < 2 * n; ++x) {
      const std::int64_t x0 = x / 2, y0 = y / 2, dx = x % 2, dy = y % 2;
      result[std::size_t(y * 2 * n + x)] =
          (at(x0, y0) + at(x0 + dx, y0) + at(x0, y0 + dy) + at(x0 + dx, y0 + dy)) / 4;
    }
  return result;
}

double nrmse(const std::vector<cfloat>& a, const std::vector<cdouble>& b, const std::vector<char>& mask) {
  cdouble product = 0;
  double square = 0, norm = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (mask[i]) {
      product += std::conj(cdouble(a[i])) * b[i];
      square += std::norm(a[i]);
    }
  const cdouble scale = product / square;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (mask[i]) {
      difference += std::norm(cdouble(a[i]) * scale - b[i]);
      norm += std::norm(b[i]);
    }
  return std::sqrt(difference / norm);
}

// Data of a case: truth on the matrix, the model, and the samples.
struct Experiment {
  SenseProblem problem;
  std::vector<cdouble> truth;
  std::vector<char> mask;
  std::vector<std::vector<cfloat>> data;
};

void addNoise(std::vector<cfloat>& samples, double share, std::mt19937& random) {
  double square = 0;
  for (const cfloat& v : samples) square += std::norm(v);
  std::normal_distribution<float> normal(0, float(share * std::sqrt(square / double(samples.size()) / 2)));
  for (cfloat& v : samples) v += cfloat(normal(random), normal(random));
}

void finish(Experiment& e, Backend& cpu) {
  double peak = 0;
  for (const cdouble& v : e.truth) peak = std::max(peak, std::abs(v));
  for (const cdouble& v : e.truth) e.mask.push_back(std::abs(v) > 0.1 * peak);
  for (const auto& coil : e.data) e.problem.coils.push_back(coil.data());
  e.problem.nufft.alpha = 2;
  Trajectory trajectory;
  trajectory.dims = e.problem.dims;
  trajectory.points.assign(e.problem.points.begin(), e.problem.points.end());
  trajectory.shotOffsets = e.problem.shotOffsets;
  e.problem.weights = pipeMenonWeights(trajectory, e.problem.matrix, 20, e.problem.nufft, {}, cpu, {});
}

Experiment spiral(const Arguments& a, Backend& cpu) {
  constexpr std::int64_t n = 192, pixels = n * n;
  const fs::path folder = a.folder / "192_192_1_32coils";
  const auto kx = column(folder / "kx.npy"), ky = column(folder / "ky.npy"), map = column(folder / "FM.npy");
  const Image picture = readImage(folder / "test_pwls.npy", {});
  Experiment e;
  SenseProblem& p = e.problem;
  p.matrix = {n, n, 1};
  p.times = column(folder / "t.npy");
  for (std::size_t j = 0; j < kx.size(); ++j) p.points.own().insert(p.points.own().end(), {kx[j], ky[j]});
  p.shotOffsets = {0, std::int64_t(kx.size())};
  e.truth.assign(picture.data.begin(), picture.data.end());
  p.field = map;
  GdftProblem fine;
  fine.matrix = {2 * n, 2 * n, 1};
  fine.points.assign(p.points.begin(), p.points.end());
  fine.times = p.times;
  fine.field = interpolated(map, n);
  const std::vector<cdouble> object = zeroFilled(e.truth, n);
  const auto exact = makeCpuGdft<float>(fine);
  std::mt19937 random(1);
  p.maps.resize(std::size_t(a.coils * pixels));
  for (int c = 0; c < a.coils; ++c) {
    std::vector<cfloat> image(std::size_t(4 * pixels)), samples(kx.size());
    for (std::int64_t i = 0; i < 4 * pixels; ++i)
      image[std::size_t(i)] =
          cfloat(object[std::size_t(i)] * coilAt(c, a.coils, double(i % (2 * n)) / (2 * n) - 0.5,
                                                 double(i / (2 * n)) / (2 * n) - 0.5));
    for (std::int64_t i = 0; i < pixels; ++i)
      p.maps[std::size_t(c * pixels + i)] =
          cfloat(coilAt(c, a.coils, double(i % n) / n - 0.5, double(i / n) / n - 0.5));
    exact->forward(image.data(), samples.data(), 1);
    addNoise(samples, 0.01, random);
    e.data.push_back(std::move(samples));
  }
  finish(e, cpu);
  return e;
}

// The four shots of the diffusion slab, their phases and field: 120 x 120 x 4.
Experiment diffusion(const Arguments& a, Backend& cpu) {
  constexpr std::int64_t n = 120, slices = 4, pixels = n * n * slices, shots = 4;
  const fs::path folder = a.folder / "DWITestData";
  const auto kx = column(folder / "kx.npy"), ky = column(folder / "ky.npy"), kz = column(folder / "kz.npy"),
             phases = column(folder / "PMap.npy");
  const Image picture = readImage(folder / "test_pwls.npy", {});
  Experiment e;
  SenseProblem& p = e.problem;
  p.dims = 3;
  p.matrix = {n, n, slices};
  p.times = column(folder / "t.npy");
  p.field = column(folder / "FM.npy");
  const auto samples = std::int64_t(kx.size());
  for (std::size_t j = 0; j < kx.size(); ++j)
    p.points.own().insert(p.points.own().end(), {kx[j], ky[j], kz[j]});
  for (std::int64_t s = 0; s <= shots; ++s) p.shotOffsets.push_back(s * samples / shots);
  for (std::int64_t s = 0; s < shots; ++s)
    p.phases.emplace_back(phases.begin() + s * pixels, phases.begin() + (s + 1) * pixels);
  double peak = 0;
  for (const cfloat& v : picture.data) peak = std::max(peak, double(std::abs(v)));
  for (const cfloat& v : picture.data) e.truth.push_back(cdouble(v) / peak);
  p.maps.resize(std::size_t(a.coils * pixels));
  std::mt19937 random(2);
  for (int c = 0; c < a.coils; ++c)
    for (std::int64_t i = 0; i < pixels; ++i)
      p.maps[std::size_t(c * pixels + i)] =
          cfloat(coilAt(c, a.coils, double(i % n) / n - 0.5, double(i / n % n) / n - 0.5));
  e.data.assign(std::size_t(a.coils), std::vector<cfloat>(kx.size()));
  for (std::int64_t s = 0; s < shots; ++s) {
    GdftProblem shot;
    shot.dims = 3;
    shot.matrix = p.matrix;
    const auto begin = p.shotOffsets[std::size_t(s)], end = p.shotOffsets[std::size_t(s + 1)];
    shot.points.assign(p.points.begin() + 3 * begin, p.points.begin() + 3 * end);
    shot.times.assign(p.times.begin() + begin, p.times.begin() + end);
    shot.field = p.field;
    const auto exact = makeCpuGdft<float>(shot);
    for (int c = 0; c < a.coils; ++c) {
      std::vector<cfloat> image(std::size_t{pixels});
      for (std::int64_t i = 0; i < pixels; ++i)
        image[std::size_t(i)] =
            cfloat(e.truth[std::size_t(i)] * cdouble(p.maps[std::size_t(c * pixels + i)]) *
                   std::polar(1.0, p.phases[std::size_t(s)][std::size_t(i)]));
      exact->forward(image.data(), e.data[std::size_t(c)].data() + begin, 1);
    }
  }
  for (auto& coil : e.data) addNoise(coil, 0.01, random);
  finish(e, cpu);
  return e;
}

void run(const Arguments& a) {
  const auto cpu = makeCpuBackend();
  nlohmann::json results = {{"cpu", processorName()},
                            {"threads", hardwareThreads()},
                            {"commit", versionCommit()},
                            {"iterations", a.iterations},
                            {"coils", a.coils}};
  const auto solve = [&](Experiment& e, TransformKind kind, const char* name) {
    e.problem.transform = kind;
    const SenseSolution s =
        cpu->solveSense(e.problem, {a.iterations, 1e-4, 0, Regularization::tikhonov}, {}, {});
    const double error = nrmse(s.image, e.truth, e.mask);
    std::printf("%-28s NRMSE %.4f, %.2f s, %s\n", name, error, s.iterationSeconds, s.transform.c_str());
    std::fflush(stdout);
    results["cases"].push_back(
        {{"case", name}, {"nrmse", error}, {"seconds", s.iterationSeconds}, {"transform", s.transform}});
    return s.image;
  };
  Experiment e = spiral(a, *cpu);
  const auto plain = solve(e, TransformKind::nufft, "spiral, plain");
  const auto segmented = solve(e, TransformKind::segmented, "spiral, segmented 1e-3");
  if (a.exact) {
    const auto exact = solve(e, TransformKind::gdft, "spiral, exact");
    const double distance = test::relativeDifference(segmented, exact);
    std::printf("|segmented - exact| / |exact| %.2e\n", distance);
    results["segmentedFromExact"] = distance;
  }
  Experiment d = diffusion(a, *cpu);
  solve(d, TransformKind::segmented, "four shots, pcSENSE");
  d.problem.phases.clear();
  solve(d, TransformKind::segmented, "four shots, SENSE");
  bench::save(a.json, results);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  bool noExact = false;
  return bench::benchMain(
      argc, argv, "Field correction on real geometry",
      [&](CLI::App& app) {
        app.add_option("folder", a.folder, "Of powergrid_invivo")->required()->check(CLI::ExistingDirectory);
        app.add_option("--iterations", a.iterations, "Of the conjugate gradients")
            ->check(CLI::PositiveNumber);
        app.add_option("--coils", a.coils, "Modelled coils")->check(CLI::PositiveNumber);
        app.add_flag("--no-exact", noExact, "Without the exact transform");
        bench::addJson(app, a.json);
      },
      [&] {
        a.exact = !noExact;
        run(a);
      });
}
