#include "engine/recon/model/rules/toeplitz.h"

#include "engine/recon/model/rules/replace_normal.h"

namespace spokelab {

std::optional<Expression> toeplitzForm(const Expression& part, const ModelFacts& facts) {
  if (!isToeplitz(facts.normal)) return std::nullopt;
  return withNormalReplaced(part, Operator::transform, Operator::convolution);
}

}  // namespace spokelab
