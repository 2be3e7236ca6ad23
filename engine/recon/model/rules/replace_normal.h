// A step that the rules of transforms share.
#pragma once

#include <optional>

#include "engine/recon/model/expression.h"

namespace spokelab {

// The product with `normal` in place of its Aᴴ W A, A the operator `of`; nothing: it has none.
std::optional<Expression> withNormalReplaced(const Expression& part, Operator of, Operator normal);

}  // namespace spokelab
