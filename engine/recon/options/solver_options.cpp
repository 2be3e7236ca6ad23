#include "engine/recon/options/solver_options.h"

#include <algorithm>

namespace spokelab {

int keptResiduals(const IterationOptions& options, std::int64_t imageBytes) {
  constexpr std::int64_t maxKeptBytes = std::int64_t(1) << 30;
  if (options.regularization == Regularization::totalVariation && options.lambda > 0) return 0;
  if (options.regularization >= Regularization::wavelets || options.solver == IterationSolver::lsmr) return 0;
  return int(std::min<std::int64_t>(options.iterations, maxKeptBytes / imageBytes));
}

std::string_view regularizationName(Regularization kind) {
  constexpr std::string_view names[] = {"tikhonov",      "roughness", "tv",  "wavelet",  "temporal-tv", "llr",
                                        "joint-wavelet", "l+s",       "tgv", "denoiser", "low-rank"};
  return names[int(kind)];
}

std::string_view waveletFamilyName(WaveletFamily family) {
  return family == WaveletFamily::haar ? "haar" : "daubechies4";
}

std::int64_t minWaveletLength(WaveletFamily family) {
  constexpr std::int64_t daubechiesTaps = 8;
  return family == WaveletFamily::haar ? 2 : 2 * (daubechiesTaps - 1);
}

std::string_view solverName(IterationSolver solver) {
  constexpr std::string_view names[] = {"auto", "cg", "lsmr", "fista", "admm", "pdhg", "pdhg-kspace"};
  return names[int(solver)];
}

std::string_view blockPlacesName(BlockPlaces places) {
  constexpr std::string_view names[] = {"fixed", "random", "overlap"};
  return names[int(places)];
}

bool comparesFrames(Regularization kind) {
  return kind == Regularization::temporalVariation || kind == Regularization::locallyLowRank ||
         kind == Regularization::jointWavelets || kind == Regularization::lowRankSparse ||
         kind == Regularization::lowRank;
}

}  // namespace spokelab
