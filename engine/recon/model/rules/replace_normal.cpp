#include "engine/recon/model/rules/replace_normal.h"

namespace spokelab {

std::optional<Expression> withNormalReplaced(const Expression& part, Operator of, Operator normal) {
  if (part.kind != Expression::Kind::product) return std::nullopt;
  for (std::size_t i = 0; i + 2 < part.parts.size(); ++i) {
    const Expression& last = part.parts[i + 2];
    if (last.kind != Expression::Kind::single || last.op != of || part.parts[i] != adjointOf(last) ||
        part.parts[i + 1] != single(Operator::weights, last.index))
      continue;
    Expression changed = part;
    changed.parts[i] = single(normal, normal == Operator::convolution ? last.index : "");
    changed.parts.erase(changed.parts.begin() + std::ptrdiff_t(i) + 1,
                        changed.parts.begin() + std::ptrdiff_t(i) + 3);
    return changed;
  }
  return std::nullopt;
}

}  // namespace spokelab
