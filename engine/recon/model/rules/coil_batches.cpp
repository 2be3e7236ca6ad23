#include "engine/recon/model/rules/coil_batches.h"

#include <algorithm>

namespace spokelab {
namespace {

bool isCoil(const Expression& e, const std::string& index) {
  return e.kind == Expression::Kind::single && e.op == Operator::coils && e.index == index;
}

}  // namespace

std::optional<Expression> batchedCoils(const Expression& part, const ModelFacts& facts) {
  if (facts.coilsAtOnce < 2 || part.kind != Expression::Kind::sum) return std::nullopt;
  const Expression& term = part.parts.front();
  const bool mapped = term.kind == Expression::Kind::product &&
                      std::any_of(term.parts.begin(), term.parts.end(),
                                  [&](const Expression& e) { return isCoil(e, part.index); });
  if (!mapped) return std::nullopt;
  return batchOver(part.index, term);
}

}  // namespace spokelab
