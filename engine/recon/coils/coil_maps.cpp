#include "engine/recon/coils/coil_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/espirit_maps.h"
#include "engine/recon/coils/keep_vectors.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab {
namespace {

constexpr double minPixelCovariance = 1e-6;  // of a pixel's neighbourhood, over the mean

// Where a pixel of `matrix` lies among those of `size`, which have the same field of view: the pixel
// before, and the share of the next one.
struct Between {
  std::int64_t low = 0, high = 0;
  float part = 0;
};

std::vector<Between> placesBetween(std::int64_t matrix, std::int64_t size) {
  const std::int64_t middle = matrix / 2, coarseMiddle = size / 2;
  std::vector<Between> places;
  for (std::int64_t n = 0; n < matrix; ++n) {
    const double at = std::clamp(double(n - middle) * double(size) / double(matrix) + double(coarseMiddle),
                                 0.0, double(size - 1));
    const auto low = std::min(std::int64_t(at), std::max<std::int64_t>(size - 2, 0));
    places.push_back({low, std::min(low + 1, size - 1), float(at - double(low))});
  }
  return places;
}

// vectors [coil, pixel of `size`] -> [coil, pixel of `matrix`], linearly, with unit root of sum of
// squares, and 0 where more than half of what lies around is 0.
std::vector<cfloat> interpolate(const Buffer<cfloat>& vectors, int coils, const Index3& size,
                                const Index3& matrix, const Progress& progress) {
  const std::int64_t pixels = product(matrix), coarse = product(size);
  requireMemory(double(pixels) * coils * sizeof(cfloat), "Cannot estimate coil maps", "one map a coil",
                "Compress the coils, or use a smaller matrix");
  std::vector<cfloat> maps(std::size_t(pixels * coils));
  const std::vector<Between> xs = placesBetween(matrix[0], size[0]), ys = placesBetween(matrix[1], size[1]),
                             zs = placesBetween(matrix[2], size[2]);
  parallelTasks(matrix[1] * matrix[2], 0, [&](std::int64_t row) {
    progress.checkpoint();
    const Between y = ys[std::size_t(row % matrix[1])], z = zs[std::size_t(row / matrix[1])];
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
        const Between x = xs[i];
        out[i] = (1 - x.part) * line[std::size_t(x.low)] + x.part * line[std::size_t(x.high)];
        squares[i] += std::norm(out[i]);
      }
    }
    constexpr float minShare = 0.5F, minSquare = 1e-12F;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      share[i] =
          (1 - xs[i].part) * known[std::size_t(xs[i].low)] + xs[i].part * known[std::size_t(xs[i].high)];
      squares[i] = share[i] < minShare || squares[i] < minSquare ? 0 : 1 / std::sqrt(squares[i]);
    }
    for (int c = 0; c < coils; ++c) {
      cfloat* out = maps.data() + c * pixels + row * matrix[0];
      for (std::size_t i = 0; i < xs.size(); ++i) out[i] *= squares[i];
    }
  });
  return maps;
}

std::vector<cfloat> walshMaps(const CentreImages& centre, int coils, const Index3& matrix,
                              const CoilMapOptions& options, double scale, double meanSquare,
                              const Progress& progress) {
  Index3 half{};  // half a resolution cell of the centre, to either side
  double block = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    half[d] = centre.size[d] > 1 ? std::max<std::int64_t>(1, centre.size[d] / (2 * options.calibration)) : 0;
    block *= double(2 * half[d] + 1);
  }
  const std::int64_t pixels = product(centre.size);
  const std::vector<cdouble> reference = dominantCombination(centre.images.data(), coils, pixels);
  Buffer<cfloat> vectors(std::size_t(pixels * coils));
  const double least = minPixelCovariance * block * meanSquare * scale * scale;
  forCovarianceTiles<float>(
      centre.images.data(), coils, centre.size, half, scale, reference, 0, progress,
      [&](const CovarianceTile<float>& tile) {
        std::array<bool, pixelTile> kept{};
        for (std::size_t i = 0; i < pixelTile; ++i) kept[i] = double(tile.traces[i]) >= least;
        const std::int64_t first = (tile.z * centre.size[1] + tile.y) * centre.size[0] + tile.x;
        keepVectors(tile.vectors, coils, tile.pixels, reference, kept, pixels, vectors.data() + first);
      });
  return interpolate(vectors, coils, centre.size, matrix, progress);
}

}  // namespace

int centreOversampling(CoilMapMethod method) {
  return method == CoilMapMethod::walsh ? 4 : 2;
}

double requireSignal(const CentreImages& centre, double scale) {
  double energy = 0;
  for (const cfloat& v : centre.images) energy += std::norm(cdouble(v) * scale);
  if (!(energy > 0))
    throw Error("Cannot estimate coil maps", "the centre of k-space holds no signal",
                "Give maps from a file");
  return energy;
}

void requireSets(const CoilMapOptions& options, int coils) {
  if (options.sets < 1 || options.sets > 2)
    throw Error("Cannot estimate coil maps", std::to_string(options.sets) + " sets are asked for",
                "Ask for 1 or 2");
  if (options.sets > 1 && (coils == 1 || options.method == CoilMapMethod::walsh))
    throw Error("Cannot estimate two sets of coil maps",
                coils == 1 ? "one coil cannot tell two places of a pixel apart"
                           : "Walsh's method finds one map a coil",
                coils == 1 ? "Use coil-map-sets = 1" : "Use coil-maps = espirit, or coil-map-sets = 1");
}

std::vector<cfloat> estimateCoilMaps(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                                     const CoilMapOptions& options, const Progress& progress) {
  const std::int64_t pixels = product(centre.size);
  if (options.method == CoilMapMethod::espirit && coils > 1)
    return espiritMaps(espiritPixels(centre, coils, matrix, dims, options, progress), progress);
  progress.report(0, "Coil maps");
  const double scale = scaleToOne(centre.images.data(), pixels * coils, 0);
  const double energy = requireSignal(centre, scale);
  requireSets(options, coils);
  std::vector<cfloat> maps;
  if (coils == 1)
    maps.assign(std::size_t(product(matrix)), cfloat(1));
  else
    maps =
        walshMaps(centre, coils, matrix, options, scale, energy / (scale * scale) / double(pixels), progress);
  for (const int c : emptyCoils(centre, coils))
    std::fill_n(maps.begin() + std::int64_t(c) * product(matrix), product(matrix), cfloat(0));
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab
