#include "engine/recon/coils/centre_images.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr double finestAccuracy = 1e-4;  // of the images: far below the noise of any scan's centre

constexpr std::int64_t samplesPerTask = 1 << 15;

// The samples inside the window: which ones, where in cycles per pixel, and their weights.
struct CentreSamples {
  Buffer<std::size_t> numbers;
  Buffer<double> points;
  Buffer<float> weights;
};

CentreSamples centreOf(const CoilSamples& samples, std::span<const double> density, int calibration,
                       const Index3& size) {
  const auto dims = std::size_t(samples.dims);
  const double reach = double(calibration) / 2;
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) scale /= double(size[d]);
  const auto count = std::int64_t(density.size());
  std::vector<CentreSamples> parts(std::size_t((count + samplesPerTask - 1) / samplesPerTask));
  parallelTasks(std::int64_t(parts.size()), 0, [&](std::int64_t task) {
    CentreSamples& centre = parts[std::size_t(task)];
    const auto end = std::size_t(std::min(count, (task + 1) * samplesPerTask));
    for (auto j = std::size_t(task * samplesPerTask); j < end; ++j) {
      double square = 0;
      for (std::size_t d = 0; d < dims; ++d)
        square += samples.points[j * dims + d] * samples.points[j * dims + d];
      if (square >= reach * reach) continue;
      const double radius = std::sqrt(square) / reach;
      centre.numbers.push_back(j);
      centre.weights.push_back(float(density[j] * scale * (0.5 + 0.5 * std::cos(std::numbers::pi * radius))));
      for (std::size_t d = 0; d < dims; ++d)
        centre.points.push_back(samples.points[j * dims + d] / double(size[d]));
    }
  });
  std::vector<std::size_t> begin = {0};  // of each part in the whole
  for (const CentreSamples& part : parts) begin.push_back(begin.back() + part.numbers.size());
  CentreSamples centre{Buffer<std::size_t>(begin.back()), Buffer<double>(begin.back() * dims),
                       Buffer<float>(begin.back())};
  parallelTasks(std::int64_t(parts.size()), 0, [&](std::int64_t task) {
    const CentreSamples& part = parts[std::size_t(task)];
    const auto first = std::ptrdiff_t(begin[std::size_t(task)]);
    std::copy(part.numbers.begin(), part.numbers.end(), centre.numbers.begin() + first);
    std::copy(part.points.begin(), part.points.end(), centre.points.begin() + first * std::ptrdiff_t(dims));
    std::copy(part.weights.begin(), part.weights.end(), centre.weights.begin() + first);
  });
  return centre;
}

}  // namespace

CentreImages centreImages(NufftBackend& backend, const CoilSamples& samples, std::span<const double> density,
                          int calibration, int oversampling, const NufftOptions& options,
                          const Progress& progress) {
  const Span traced("coil images");
  const auto coils = std::int64_t(samples.coils.size());
  CentreImages centre;
  for (std::size_t d = 0; d < std::size_t(samples.dims); ++d)
    centre.size[d] = std::min<std::int64_t>(samples.matrix[d], std::int64_t(oversampling) * calibration);
  const std::int64_t pixels = product(centre.size);
  requireMemory(double(pixels * (coils + centreCoilsAtOnce)) * sizeof(cfloat), "Cannot estimate coil maps",
                "images of the centre of k-space", "Use a narrower coil-calibration, or compress the coils");
  centre.images.assign(std::size_t(pixels * coils), cfloat(0));
  const CentreSamples chosen = centreOf(samples, density, calibration, centre.size);
  if (chosen.numbers.empty()) return centre;
  NufftProblem nufft;
  nufft.dims = samples.dims;
  nufft.size = centre.size;
  nufft.batch = std::min(coils, centreCoilsAtOnce);
  NufftOptions planOptions;  // the tuner's choices are for another size
  planOptions.accuracy = std::max(options.accuracy, finestAccuracy);
  planOptions.threads = options.threads;
  planOptions.reproducible = options.reproducible;
  planOptions.memoryLimit = options.memoryLimit;
  const auto plan = backend.plan<float>(nufft, planOptions);
  plan->setPoints(chosen.points);
  const std::size_t count = chosen.numbers.size();
  Buffer<cfloat> weighted(count * std::size_t(nufft.batch)), last;
  for (std::int64_t c = 0; c < coils; c += nufft.batch) {
    progress.report(double(c) / double(coils), "Coil images");
    const std::int64_t part = std::min<std::int64_t>(nufft.batch, coils - c);
    const std::int64_t pieces = (std::int64_t(count) + samplesPerTask - 1) / samplesPerTask;
    parallelTasks(nufft.batch * pieces, 0, [&](std::int64_t task) {
      const std::int64_t i = task / pieces;
      const auto begin = std::size_t(task % pieces * samplesPerTask),
                 end = std::min(count, begin + std::size_t(samplesPerTask));
      cfloat* const out = weighted.data() + std::size_t(i) * count;
      if (i >= part) return std::fill(out + begin, out + end, cfloat(0));
      const cfloat* const in = samples.coils[std::size_t(c + i)];
      for (std::size_t j = begin; j < end; ++j) out[j] = in[chosen.numbers[j]] * chosen.weights[j];
    });
    if (part == nufft.batch) {
      plan->adjoint(weighted.data(), centre.images.data() + c * pixels);
    } else {
      last.resize(std::size_t(nufft.batch * pixels));
      plan->adjoint(weighted.data(), last.data());
      std::copy_n(last.data(), part * pixels, centre.images.data() + c * pixels);
    }
  }
  return centre;
}

std::vector<double> coilEnergies(const CentreImages& centre, int coils) {
  const auto pixels = std::size_t(product(centre.size));
  std::vector<double> energy(std::size_t(coils), 0);
  parallelTasks(coils, 0, [&](std::int64_t c) {
    double sum = 0;
    for (std::size_t i = 0; i < pixels; ++i) sum += std::norm(centre.images[std::size_t(c) * pixels + i]);
    energy[std::size_t(c)] = sum;
  });
  return energy;
}

std::vector<int> emptyCoils(const std::vector<double>& energies) {
  constexpr double maxEmptyCoilShare = 1e-10;  // of the strongest coil's energy
  const double most = *std::max_element(energies.begin(), energies.end());
  std::vector<int> empty;
  for (std::size_t c = 0; c < energies.size(); ++c)
    if (energies[c] <= maxEmptyCoilShare * most) empty.push_back(int(c));
  return empty;
}

}  // namespace spokelab
