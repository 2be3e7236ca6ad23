// Fᴴ W F -> T: the normal operator of a NUFFT is a convolution with the point spread function of
// its points and weights, computed by FFTs of twice the size, or by 2^d shifted ones
// (engine/nufft/toeplitz, and cuda/nufft/toeplitz). It takes the transfer function's memory, and
// pays where points are dense.
#pragma once

#include "engine/recon/model/rewrite.h"

namespace spokelab {

std::optional<Expression> toeplitzForm(const Expression& part, const ModelFacts& facts);
inline constexpr Rule toeplitzRule{"toeplitz", "the normal operator is a Toeplitz form", toeplitzForm};

}  // namespace spokelab
