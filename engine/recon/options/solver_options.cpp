#include "engine/recon/options/solver_options.h"

#include <algorithm>

namespace spokelab {

int keptResiduals(const IterationOptions& options, std::int64_t imageBytes) {
  constexpr std::int64_t maxKeptBytes = std::int64_t(1) << 30;
  if (options.regularization == Regularization::totalVariation && options.lambda > 0) return 0;
  if (options.regularization >= Regularization::wavelets) return 0;
  return int(std::min<std::int64_t>(options.iterations, maxKeptBytes / imageBytes));
}

std::string_view regularizationName(Regularization kind) {
  constexpr std::string_view names[] = {"tikhonov", "roughness",     "tv",  "wavelet", "temporal-tv",
                                        "llr",      "joint-wavelet", "l+s", "tgv",     "denoiser"};
  return names[int(kind)];
}

std::string_view blockPlacesName(BlockPlaces places) {
  constexpr std::string_view names[] = {"fixed", "random", "overlap"};
  return names[int(places)];
}

bool comparesFrames(Regularization kind) {
  return kind == Regularization::temporalVariation || kind == Regularization::locallyLowRank ||
         kind == Regularization::jointWavelets || kind == Regularization::lowRankSparse;
}

}  // namespace spokelab
