#include "engine/recon/model/rules/segment_convolutions.h"

#include "engine/recon/model/rules/replace_normal.h"

namespace spokelab {

std::optional<Expression> convolvedSegments(const Expression& part, const ModelFacts& facts) {
  if (!facts.convolvesSegments) return std::nullopt;
  return withNormalReplaced(part, Operator::segments, Operator::segmentConvolutions);
}

}  // namespace spokelab
