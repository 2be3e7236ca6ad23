#include "engine/recon/model/rewrite.h"

#include <array>
#include <utility>

#include "engine/recon/model/rules/basis_kernels.h"
#include "engine/recon/model/rules/coil_batches.h"
#include "engine/recon/model/rules/segment_convolutions.h"
#include "engine/recon/model/rules/toeplitz.h"

namespace spokelab {
namespace {

// True if the rule applied somewhere in e.
bool applyTo(Expression& e, const Rule& rule, const ModelFacts& facts) {
  bool applied = false;
  for (Expression& part : e.parts) applied = applyTo(part, rule, facts) || applied;
  if (auto changed = rule.apply(e, facts)) {
    e = std::move(*changed);
    applied = true;
  }
  return applied;
}

}  // namespace

std::span<const Rule> rewritingRules() {
  static const std::array all{toeplitzRule, segmentConvolutionsRule, basisKernelsRule, coilBatchesRule};
  return all;
}

RewrittenModel rewriteNormal(Expression forward, const ModelFacts& facts) {
  RewrittenModel model{std::move(forward), {}, {}, {}};
  model.normal = model.rewritten = normalOf(model.forward);
  for (const Rule& rule : rewritingRules())
    if (applyTo(model.rewritten, rule, facts)) model.rules.push_back(rule.name);
  return model;
}

}  // namespace spokelab
