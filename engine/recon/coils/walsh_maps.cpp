#include "engine/recon/coils/walsh_maps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/keep_vectors.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab {
namespace {

constexpr double minPixelCovariance = 1e-6;  // of a pixel's neighbourhood, over the mean

// vectors [coil, pixel of `size`] -> [coil, pixel of `matrix`], linearly, with unit root of sum of
// squares, and 0 where more than half of the pixels around are 0.
std::vector<cfloat> interpolate(const Buffer<cfloat>& vectors, int coils, const Index3& size,
                                const Index3& matrix, const Progress& progress) {
  const std::int64_t pixels = product(matrix), coarse = product(size);
  requireMemory(double(pixels) * coils * sizeof(cfloat), "Cannot estimate coil maps", "one map a coil",
                "Compress the coils, or use a smaller matrix");
  std::vector<cfloat> maps(std::size_t(pixels * coils));
  const std::vector<PixelsAround> xs = pixelsAround(matrix[0], size[0]),
                                  ys = pixelsAround(matrix[1], size[1]),
                                  zs = pixelsAround(matrix[2], size[2]);
  parallelTasks(matrix[1] * matrix[2], 0, [&](std::int64_t row) {
    progress.checkpoint();
    const PixelsAround y = ys[std::size_t(row % matrix[1])], z = zs[std::size_t(row / matrix[1])];
    std::vector<float> squares(xs.size(), 0.0F), share(xs.size(), 0.0F);
    std::vector<cfloat> line(static_cast<std::size_t>(size[0]));
    std::vector<float> known(line.size(), 0.0F);
    for (int c = 0; c < coils; ++c) {
      std::fill(line.begin(), line.end(), cfloat(0));
      for (int corner = 0; corner < 4; ++corner) {
        const float weight =
            ((corner & 1) != 0 ? y.part : 1 - y.part) * ((corner & 2) != 0 ? z.part : 1 - z.part);
        const std::int64_t j = (corner & 1) != 0 ? y.high : y.low, k = (corner & 2) != 0 ? z.high : z.low;
        const cfloat* in = vectors.data() + c * coarse + (k * size[1] + j) * size[0];
        for (std::size_t i = 0; i < line.size(); ++i) {
          line[i] += weight * in[i];
          known[i] += weight * std::norm(in[i]);
        }
      }
      cfloat* out = maps.data() + c * pixels + row * matrix[0];
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const PixelsAround x = xs[i];
        out[i] = (1 - x.part) * line[std::size_t(x.low)] + x.part * line[std::size_t(x.high)];
        squares[i] += std::norm(out[i]);
      }
    }
    for (std::size_t i = 0; i < xs.size(); ++i) {
      share[i] =
          (1 - xs[i].part) * known[std::size_t(xs[i].low)] + xs[i].part * known[std::size_t(xs[i].high)];
      squares[i] = share[i] < minKnownShare || squares[i] < minMapSquare ? 0 : 1 / std::sqrt(squares[i]);
    }
    for (int c = 0; c < coils; ++c) {
      cfloat* out = maps.data() + c * pixels + row * matrix[0];
      for (std::size_t i = 0; i < xs.size(); ++i) out[i] *= squares[i];
    }
  });
  return maps;
}

}  // namespace

std::vector<PixelsAround> pixelsAround(std::int64_t matrix, std::int64_t size) {
  const std::int64_t middle = matrix / 2, coarseMiddle = size / 2;
  std::vector<PixelsAround> places;
  for (std::int64_t n = 0; n < matrix; ++n) {
    const double at = std::clamp(double(n - middle) * double(size) / double(matrix) + double(coarseMiddle),
                                 0.0, double(size - 1));
    const auto low = std::min(std::int64_t(at), std::max<std::int64_t>(size - 2, 0));
    places.push_back({low, std::min(low + 1, size - 1), float(at - double(low))});
  }
  return places;
}

WalshPixels walshPixels(const CentreImages& centre, int coils, const Index3& matrix,
                        const CoilMapOptions& options) {
  const std::int64_t pixels = product(centre.size);
  WalshPixels result;
  result.centre = &centre;
  result.coils = coils;
  result.matrix = matrix;
  result.scale = scaleToOne(centre.images.data(), pixels * coils, 0);
  const double energy = requireSignal(centre, result.scale);
  requireSets(options, coils);
  double block = 1;  // of half a resolution cell of the centre, to either side
  for (std::size_t d = 0; d < 3; ++d) {
    result.half[d] =
        centre.size[d] > 1 ? std::max<std::int64_t>(1, centre.size[d] / (2 * options.calibration)) : 0;
    block *= double(2 * result.half[d] + 1);
  }
  result.reference = dominantCombination(centre.images.data(), coils, pixels);
  result.minTrace = minPixelCovariance * block * energy / double(pixels);
  result.emptyCoils = emptyCoils(centre, coils);
  return result;
}

std::vector<cfloat> walshMaps(const WalshPixels& pixels, const Progress& progress) {
  progress.report(0, "Coil maps");
  const CentreImages& centre = *pixels.centre;
  const std::int64_t count = product(centre.size);
  Buffer<cfloat> vectors(std::size_t(count * pixels.coils));
  forCovarianceTiles<float>(centre.images.data(), pixels.coils, centre.size, pixels.half, pixels.scale,
                            pixels.reference, 0, progress, [&](const CovarianceTile<float>& tile) {
                              std::array<bool, pixelTile> kept{};
                              for (std::size_t i = 0; i < pixelTile; ++i)
                                kept[i] = double(tile.traces[i]) >= pixels.minTrace;
                              const std::int64_t first =
                                  (tile.z * centre.size[1] + tile.y) * centre.size[0] + tile.x;
                              keepVectors(tile.vectors, pixels.coils, tile.pixels, pixels.reference, kept,
                                          count, vectors.data() + first);
                            });
  std::vector<cfloat> maps = interpolate(vectors, pixels.coils, centre.size, pixels.matrix, progress);
  const std::int64_t map = product(pixels.matrix);
  for (const int c : pixels.emptyCoils) std::fill_n(maps.begin() + std::int64_t(c) * map, map, cfloat(0));
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab
