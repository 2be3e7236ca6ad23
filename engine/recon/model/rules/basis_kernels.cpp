#include "engine/recon/model/rules/basis_kernels.h"

#include <algorithm>

namespace spokelab {
namespace {

bool isBasis(const Expression& e) {
  return e.kind == Expression::Kind::single && e.op == Operator::basis;
}

}  // namespace

std::optional<Expression> kernelsOfBasis(const Expression& part, const ModelFacts& facts) {
  if (!facts.basisKernels || part.kind != Expression::Kind::sum) return std::nullopt;
  const Expression& coils = part.parts.front();
  if (coils.kind != Expression::Kind::sum || coils.parts.front().kind != Expression::Kind::product)
    return std::nullopt;
  const std::vector<Expression>& factors = coils.parts.front().parts;
  if (std::none_of(factors.begin(), factors.end(), isBasis)) return std::nullopt;
  const Expression map = single(Operator::coils, coils.index);
  return sumOver("ij",
                 sumOver(coils.index, product({adjointOf(map), single(Operator::convolution, "ij"), map})));
}

}  // namespace spokelab
