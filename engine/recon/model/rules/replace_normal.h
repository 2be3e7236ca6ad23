// The step that the rules of normal operators share: Aᴴ W A -> one operator (toeplitz.h,
// segment_convolutions.h).
#pragma once

#include <optional>

#include "engine/recon/model/expression.h"

namespace spokelab {

// `part` with `normal` in place of its first three factors Aᴴ W A, A the operator `of`.
// No value: `part` is not a product, or has no such factors.
std::optional<Expression> withNormalReplaced(const Expression& part, Operator of, Operator normal);

}  // namespace spokelab
