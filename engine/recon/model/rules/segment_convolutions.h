// Sᴴ W S -> Σ_k a_kᴴ T_k a_k: the normal operator of time segments as convolutions, one for each
// difference of times (field/segmented_toeplitz.h). It takes a transfer function for each of them.
#pragma once

#include "engine/recon/model/rewrite.h"

namespace spokelab {

std::optional<Expression> convolvedSegments(const Expression& part, const ModelFacts& facts);
inline constexpr Rule segmentConvolutionsRule{"segment convolutions", "the transform is segmented-toeplitz",
                                              convolvedSegments};

}  // namespace spokelab
