// Σ_t B_tᴴ C_cᴴ X_t C_c B_t -> Σ_ij C_cᴴ T_ij C_c: a real temporal basis has a Toeplitz kernel for
// each pair of its coefficients, whose weights are the weights of all frames times the basis
// (sense/unknowns/basis_kernels.h). It takes K (K + 1) / 2 transfer functions.
#pragma once

#include "engine/recon/model/rewrite.h"

namespace spokelab {

std::optional<Expression> kernelsOfBasis(const Expression& part, const ModelFacts& facts);
inline constexpr Rule basisKernelsRule{
    "basis kernels", "a real basis has fewer pairs of coefficients than there are frames", kernelsOfBasis};

}  // namespace spokelab
