#include "engine/recon/density/pipe_menon.h"

#include <algorithm>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr double iterationAccuracy = 1e-3;  // of C w: far below what the iteration leaves
constexpr double planAlpha = 1.25;          // the grid is twice the image already
// Larger doubled images get a wider kernel: the point spread is right over half the FOV then.
constexpr std::int64_t maxDoubledPixels = std::int64_t(1) << 26;
constexpr std::int64_t pixelsPerTask = 1 << 14;

// t(n) on the doubled image, times the scale that makes C w an area.
Buffer<float> overlapWindow(const NufftProblem& problem, const Index3& half, double scale) {
  std::array<std::vector<double>, 3> square;  // (n_d / half_d)^2
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t size = problem.size[d];
    square[d].assign(std::size_t(size), 0.0);
    if (int(d) >= problem.dims) continue;
    for (std::int64_t i = 0; i < size; ++i) {
      const double n = double(i - size / 2) / double(half[d]);
      square[d][std::size_t(i)] = n * n;
    }
  }
  Buffer<float> window(std::size_t(problem.pixels()));
  const std::int64_t rows = problem.size[1] * problem.size[2];
  parallelTasks(rows, 0, [&](std::int64_t row) {
    const double z = square[2][std::size_t(row / problem.size[1])],
                 y = square[1][std::size_t(row % problem.size[1])];
    float* out = window.data() + row * problem.size[0];
    for (const double x : square[0]) *out++ = float(scale * ballOverlap(std::sqrt(x + y + z), problem.dims));
  });
  return window;
}

}  // namespace

Buffer<double> pipeMenonWeights(const Trajectory& trajectory, const Index3& matrix, int iterations,
                                const NufftOptions& options, const std::vector<char>& mask,
                                NufftBackend& backend, const Progress& progress) {
  const auto dims = std::size_t(trajectory.dims);
  NufftProblem problem;
  problem.dims = trajectory.dims;
  problem.precision = Precision::single;
  std::int64_t doubled = 1;
  for (std::size_t d = 0; d < dims; ++d) doubled *= 2 * matrix[d];
  Index3 half = matrix;
  if (doubled > maxDoubledPixels)
    for (std::size_t d = 0; d < dims; ++d) half[d] = std::max<std::int64_t>(matrix[d] / 2, 1);
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) {
    problem.size[d] = 2 * half[d];
    scale /= double(matrix[d]);
  }

  NufftOptions planOptions;
  planOptions.accuracy = iterationAccuracy;
  planOptions.alpha = planAlpha;
  planOptions.threads = options.threads;
  planOptions.reproducible = options.reproducible;
  planOptions.memoryLimit = options.memoryLimit;
  // Beside the plan: window, image, and for each sample point, weights, values before and after.
  constexpr double perPixel = sizeof(float) + sizeof(cfloat),
                   beside = 2 * sizeof(cfloat) + 3 * sizeof(double);
  requireMemory(double(problem.pixels()) * perPixel +
                    double(trajectory.samples()) * (beside + double(dims) * sizeof(double)),
                "Cannot make density weights", "Pipe and Menon's iteration",
                "Use a smaller matrix, or density = analytic, voronoi or file");
  // Samples that count, with their points in cycles per pixel.
  std::vector<std::size_t> usedSamples;
  Buffer<double> points;
  for (std::size_t j = 0; j < std::size_t(trajectory.samples()); ++j) {
    if (!mask.empty() && !mask[j]) continue;
    usedSamples.push_back(j);
    for (std::size_t d = 0; d < dims; ++d)
      points.push_back(trajectory.points[j * dims + d] / double(matrix[d]));
  }
  Buffer<double> weights(std::size_t(trajectory.samples()), 0.0);
  if (usedSamples.empty()) return weights;
  progress.checkpoint();
  if (const Buffer<double> found =
          backend.pipeMenon({problem, planOptions, points, half, scale, iterations}, progress);
      !found.empty()) {
    for (std::size_t j = 0; j < usedSamples.size(); ++j) weights[usedSamples[j]] = found[j];
    return weights;
  }
  const auto plan = backend.plan<float>(problem, planOptions);
  plan->setPoints(points);

  const Buffer<float> window = overlapWindow(problem, half, scale);
  Buffer<cfloat> image(window.size()), samples(usedSamples.size()), density(usedSamples.size());
  std::vector<double> w(usedSamples.size(), 1.0);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    progress.report(double(iteration) / iterations, "Density compensation (Pipe-Menon)");
    for (std::size_t j = 0; j < w.size(); ++j) samples[j] = cfloat(float(w[j]), 0);
    plan->adjoint(samples.data(), image.data());
    progress.checkpoint();
    parallelFor(std::int64_t(image.size()), options.threads, pixelsPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (auto i = std::size_t(begin); i < std::size_t(end); ++i) image[i] *= window[i];
                });
    plan->forward(image.data(), density.data());
    float largest = 0;
    for (const cfloat& c : density) largest = std::max(largest, c.real());
    const double least = minRelativeDensity * double(largest);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] /= std::max(double(density[j].real()), least);
  }
  for (std::size_t j = 0; j < usedSamples.size(); ++j) weights[usedSamples[j]] = w[j];
  return weights;
}

}  // namespace spokelab
