#include "engine/recon/field/gdft/gdft_direct.h"

#include <cmath>
#include <numbers>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

double sinc(double x) {
  return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

cdouble term(const GdftProblem& p, std::size_t pixel, std::size_t sample) {
  const auto dims = std::size_t(p.dims);
  const std::size_t pixels = std::size_t(p.pixels());
  const double t = p.times.empty() ? 0 : p.times[sample];
  const auto nx = std::size_t(p.matrix[0]), ny = std::size_t(p.matrix[1]);
  const std::size_t index[3] = {pixel % nx, pixel / nx % ny, pixel / nx / ny};
  double phase = p.phaseAt(pixel, sample);
  double factor = p.decay.empty() ? 1 : std::exp(-p.decay[pixel] * t);
  for (std::size_t d = 0; d < dims; ++d) {
    const double k = p.points[sample * dims + d], n = double(p.matrix[d]);
    const double r = p.coordinates.empty() ? (double(index[d]) - double(p.matrix[d] / 2)) / n
                                           : p.coordinates[pixel * dims + d];
    phase += 2 * std::numbers::pi * k * r;
    if (p.intravoxel) factor *= sinc(k / n + (p.gradient.empty() ? 0 : p.gradient[d * pixels + pixel] * t));
  }
  return std::polar(factor, -phase);
}

}  // namespace

std::vector<cdouble> gdftDirect(const GdftProblem& problem, std::span<const cdouble> image,
                                std::span<const std::int64_t> selection) {
  validate(problem);
  const std::int64_t count = selection.empty() ? problem.samples() : std::int64_t(selection.size());
  std::vector<cdouble> result(static_cast<std::size_t>(count));
  parallelTasks(count, 0, [&](std::int64_t i) {
    const auto sample = std::size_t(selection.empty() ? i : selection[std::size_t(i)]);
    cdouble sum = 0;
    for (std::size_t p = 0; p < image.size(); ++p) sum += image[p] * term(problem, p, sample);
    result[std::size_t(i)] = sum;
  });
  return result;
}

}  // namespace spokelab
