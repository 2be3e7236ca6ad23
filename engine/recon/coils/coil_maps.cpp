#include "engine/recon/coils/coil_maps.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/jobs/rank_values.h"
#include "engine/core/parallel_sum.h"
#include "engine/recon/coils/espirit_maps.h"
#include "engine/recon/coils/local_covariance.h"
#include "engine/recon/coils/walsh_maps.h"

namespace spokelab {

int centreOversampling(CoilMapMethod method) {
  return method == CoilMapMethod::walsh ? 4 : 2;
}

namespace {

double energyOf(const CentreImages& centre, double scale) {
  return sumOver<double>(std::int64_t(centre.images.size()), 0, [&](std::int64_t i) {
    return std::norm(cdouble(centre.images[std::size_t(i)]) * scale);
  });
}

void requireEnergy(double energy) {
  if (!(energy > 0))
    throw Error("Cannot estimate coil maps", "the centre of k-space holds no signal",
                "Give maps from a file");
}

}  // namespace

double requireSignal(const CentreImages& centre, double scale) {
  const double energy = energyOf(centre, scale);
  requireEnergy(energy);
  return energy;
}

void requireSignal(const CentreImages& centre, Ranks* ranks, const Progress& progress) {
  const double energy =
      energyOf(centre, scaleToOne(centre.images.data(), std::int64_t(centre.images.size()), 0));
  requireEnergy(ranks ? sumOfRanks(*ranks, energy, progress) : energy);
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
  if (options.method == CoilMapMethod::espirit && coils > 1)
    return espiritMaps(espiritPixels(centre, coils, matrix, dims, options, nullptr, progress), progress);
  if (coils > 1) return walshMaps(walshPixels(centre, coils, matrix, options), progress);
  requireSignal(centre, nullptr, progress);
  requireSets(options, coils);
  return std::vector<cfloat>(std::size_t(product(matrix)), cfloat(1));
}

}  // namespace spokelab
