#include "engine/recon/coils/centre_images.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"

namespace spokelab {
namespace {

constexpr std::int64_t coilsAtOnce = 4;  // share kernel values, and bound the plan's grids
constexpr double finestAccuracy = 1e-4;  // of the images: far below the noise of any scan's centre

// The samples inside the window: which ones, where in cycles per pixel, and their weights.
struct CentreSamples {
  std::vector<std::size_t> numbers;
  std::vector<double> points;
  std::vector<float> weights;
};

CentreSamples centreOf(const CoilSamples& samples, std::span<const double> density, int calibration,
                       const Index3& size) {
  const auto dims = std::size_t(samples.dims);
  double scale = 1;
  for (std::size_t d = 0; d < dims; ++d) scale /= double(size[d]);
  CentreSamples centre;
  for (std::size_t j = 0; j < density.size(); ++j) {
    double square = 0;
    for (std::size_t d = 0; d < dims; ++d)
      square += samples.points[j * dims + d] * samples.points[j * dims + d];
    const double radius = std::sqrt(square) / (double(calibration) / 2);
    if (radius >= 1) continue;
    centre.numbers.push_back(j);
    centre.weights.push_back(float(density[j] * scale * (0.5 + 0.5 * std::cos(std::numbers::pi * radius))));
    for (std::size_t d = 0; d < dims; ++d)
      centre.points.push_back(samples.points[j * dims + d] / double(size[d]));
  }
  return centre;
}

}  // namespace

CentreImages centreImages(NufftBackend& backend, const CoilSamples& samples, std::span<const double> density,
                          int calibration, int oversampling, const NufftOptions& options,
                          const Progress& progress) {
  const auto coils = std::int64_t(samples.coils.size());
  CentreImages centre;
  for (std::size_t d = 0; d < std::size_t(samples.dims); ++d)
    centre.size[d] = std::min<std::int64_t>(samples.matrix[d], std::int64_t(oversampling) * calibration);
  const std::int64_t pixels = product(centre.size);
  requireMemory(double(pixels * (coils + coilsAtOnce)) * sizeof(cfloat), "Cannot estimate coil maps",
                "images of the centre of k-space", "Use a narrower coil-calibration, or compress the coils");
  centre.images.assign(std::size_t(pixels * coils), cfloat(0));
  const CentreSamples chosen = centreOf(samples, density, calibration, centre.size);
  if (chosen.numbers.empty()) return centre;
  NufftProblem nufft;
  nufft.dims = samples.dims;
  nufft.size = centre.size;
  nufft.batch = std::min(coils, coilsAtOnce);
  NufftOptions how;  // the tuner's choices are for another size
  how.accuracy = std::max(options.accuracy, finestAccuracy);
  how.threads = options.threads;
  how.memoryLimit = options.memoryLimit;
  const auto plan = backend.planFloat(nufft, how);
  plan->setPoints(chosen.points);
  const std::size_t count = chosen.numbers.size();
  Buffer<cfloat> weighted(count * std::size_t(nufft.batch)), last;
  for (std::int64_t c = 0; c < coils; c += nufft.batch) {
    progress.report(double(c) / double(coils), "Coil images");
    const std::int64_t part = std::min<std::int64_t>(nufft.batch, coils - c);
    std::fill(weighted.begin(), weighted.end(), cfloat(0));
    for (std::int64_t i = 0; i < part; ++i)
      for (std::size_t j = 0; j < count; ++j)
        weighted[std::size_t(i) * count + j] =
            samples.coils[std::size_t(c + i)][chosen.numbers[j]] * chosen.weights[j];
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

}  // namespace spokelab
