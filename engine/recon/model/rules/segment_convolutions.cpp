#include "engine/recon/model/rules/segment_convolutions.h"

#include "engine/recon/model/rules/replace_normal.h"

namespace spokelab {

// S sums over time segments, T_k convolves with the point spread function of one time difference.
// The rule keeps the operator's value and is taken for the transform segmented-toeplitz
// (ModelFacts::convolvesSegments). No value: the rule does not apply to this part.
std::optional<Expression> convolvedSegments(const Expression& part, const ModelFacts& facts) {
  if (!facts.convolvesSegments) return std::nullopt;
  return withNormalReplaced(part, Operator::segments, Operator::segmentConvolutions);
}

}  // namespace spokelab
