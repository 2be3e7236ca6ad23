#include "engine/profile/study/multicore/plain_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/profile/study/plain_nufft.h"

namespace spokelab {
namespace {

// The accuracy of the plain code's table: the paper gives no density.
constexpr double tableAccuracy = 1e-4;

}  // namespace

PlainRun racePlain(const StudyRun& run, const ResamplingCase& c, std::span<const double> points, double width,
                   const Progress& progress) {
  NufftOptions options = optionsWith(c.problem, run.request().alphas.front(), width);
  options.precomputation = Precomputation::linear;
  options.accuracy = std::max(options.accuracy, tableAccuracy);
  options.threads = 1;
  progress.report(0, "plain sequential code");
  PlainNufft<float> plain(c.problem, options);
  PlainRun result;
  const double start = now();
  plain.setPoints(points);
  result.raced.setPointsSeconds = now() - start;
  result.raced.info.options = options;
  result.raced.info.grid = plain.grid();
  Buffer<cfloat> samples(static_cast<std::size_t>(plain.count()), cfloat(1)),
      image(static_cast<std::size_t>(c.problem.pixels()), cfloat(1));
  result.kernelSeconds = plain.kernelSeconds(progress);
  const int rounds = std::max(1, run.request().trials);  // sequential code takes long
  for (int i = 0; i < rounds; ++i) {
    progress.report(double(i) / rounds, "plain sequential code");
    result.raced.adjoint.push_back(
        timedStages([&] { plain.adjoint(samples.data(), image.data(), progress); }));
    result.raced.forward.push_back(
        timedStages([&] { plain.forward(image.data(), samples.data(), progress); }));
  }
  return result;
}

std::vector<double> reordered(const ResamplingCase& c, const Index3& grid) {
  constexpr double block = 8;  // cells
  const auto count = std::size_t(c.c.points);
  std::vector<std::int64_t> key(count);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t d = 3; d-- > 0;) {
      const double k = c.points[3 * j + d];
      key[j] = key[j] * (grid[d] + 1) + std::int64_t((k - std::floor(k)) * double(grid[d]) / block);
    }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  std::vector<double> points;
  points.reserve(c.points.size());
  for (const std::size_t j : order)
    for (std::size_t d = 0; d < 3; ++d) points.push_back(c.points[3 * j + d]);
  return points;
}

}  // namespace spokelab
