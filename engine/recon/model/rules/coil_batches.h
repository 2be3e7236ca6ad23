// Σ_c C_cᴴ X C_c -> Σ_c {C_cᴴ X C_c}: the coils of a batch go through X in one call, which shares
// kernel values and FFTs' plans, and their sum is taken on the way out (operators/sense_operator.h;
// on a GPU the maps are multiplied inside X's first FFT, where it can). It takes the images of a
// batch.
#pragma once

#include "engine/recon/model/rewrite.h"

namespace spokelab {

std::optional<Expression> batchedCoils(const Expression& part, const ModelFacts& facts);
inline constexpr Rule coilBatchesRule{"coil batches", "several coils are transformed at once", batchedCoils};

}  // namespace spokelab
