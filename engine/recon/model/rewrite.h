// The rules that put a faster operator in place of a part of a model's normal operator. Each is one
// file in rules/; what computes the new operator is named there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nufft/problem/options.h"
#include "engine/recon/model/expression.h"

namespace spokelab {

// The facts about a model, beside its expression, that rules need.
struct ModelFacts {
  NormalMethod normal = NormalMethod::automatic;  // of F; automatic: the tuner has yet to choose
  bool convolvesSegments = false;                 // S by convolutions
  std::int64_t coilsAtOnce = 1;
  bool basisKernels = false;  // B by a kernel for each pair of coefficients
};

struct Rule {
  std::string_view name, when;  // when it applies, in words
  // The part with another in its place; nothing: the rule does not apply to it.
  std::optional<Expression> (*apply)(const Expression& part, const ModelFacts& facts);
};

// The rules, in the order in which they are tried.
std::span<const Rule> rewritingRules();

struct RewrittenModel {
  Expression forward, normal, rewritten;
  std::vector<std::string_view> rules;  // names of those that applied
};
// Applies each rule to the parts of the normal operator, the inner ones first.
RewrittenModel rewriteNormal(Expression forward, const ModelFacts& facts);

}  // namespace spokelab
