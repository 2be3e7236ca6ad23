// Sᴴ W S -> Σ_k a_kᴴ T_k a_k: the normal operator of time segments as convolutions. There is one
// for each segment k of the phases of the field's differences between pixels
// (field/segmented_toeplitz.h), and each takes a transfer function.
#pragma once

#include "engine/recon/model/rewrite.h"

namespace spokelab {

std::optional<Expression> convolvedSegments(const Expression& part, const ModelFacts& facts);
inline constexpr Rule segmentConvolutionsRule{"segment convolutions", "the transform is segmented-toeplitz",
                                              convolvedSegments};

}  // namespace spokelab
