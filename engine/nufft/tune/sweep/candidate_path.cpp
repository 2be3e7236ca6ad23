#include "engine/nufft/tune/sweep/candidate_path.h"

#include "engine/nufft/plugin/plugin_info.h"

namespace spokelab {

SweptOver sweptOver(NormalMethod normal) {
  if (normal == NormalMethod::toeplitz) return SweptOver::toeplitzAlpha;
  return normal == NormalMethod::toeplitzShifted ? SweptOver::nothing : SweptOver::grid;
}

namespace {

CandidatePath fieldPathOf(const Candidate& c) {
  std::string name(transformName(c.path.transform));
  if (c.path.transform == TransformKind::segmented) return {name, SweptOver::alpha, c.options.alpha};
  const bool padded = c.options.normal == NormalMethod::toeplitz && c.options.toeplitzAlpha > 0;
  if (c.path.transform == TransformKind::segmentedToeplitz && padded)
    return {name, SweptOver::toeplitzAlpha, c.options.toeplitzAlpha};
  if (c.path.transform == TransformKind::segmentedToeplitz &&
      c.options.normal == NormalMethod::toeplitzShifted)
    name += "-shifted";
  return {name, SweptOver::nothing, 0};
}

}  // namespace

bool isThroughField(const Candidate& c) {
  return c.path.transform != TransformKind::automatic && knowsField(c.path.transform);
}

CandidatePath pathOf(const Candidate& c) {
  if (isThroughField(c)) return fieldPathOf(c);
  if (isPlugin(c.backend))
    return {c.backend, c.options.alpha > 0 ? SweptOver::alpha : SweptOver::nothing, c.options.alpha};
  if (c.innerAlpha > 0) return {"inner-grid", SweptOver::alpha, c.innerAlpha};
  // Candidates of other directions keep the option `normal` without a predicted normal error.
  const bool convolves = isToeplitz(c.options.normal) && (!c.timed() || c.predictedNormalError > 0);
  if (!convolves) return {"nufft", SweptOver::grid, c.options.alpha};
  const SweptOver over = sweptOver(c.options.normal);
  return {std::string(normalMethodName(c.options.normal)), over,
          over == SweptOver::toeplitzAlpha ? c.options.toeplitzAlpha : 0};
}

}  // namespace spokelab
