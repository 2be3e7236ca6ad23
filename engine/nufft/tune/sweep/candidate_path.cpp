#include "engine/nufft/tune/sweep/candidate_path.h"

namespace spokelab {

SweptOver sweptOver(NormalMethod normal) {
  if (normal == NormalMethod::toeplitz) return SweptOver::toeplitzAlpha;
  return normal == NormalMethod::toeplitzShifted ? SweptOver::nothing : SweptOver::grid;
}

CandidatePath pathOf(const Candidate& c) {
  const TransformKind field = c.path.transform;
  if (field != TransformKind::automatic && knowsField(field))
    return {std::string(transformName(field)), SweptOver::nothing, 0};
  // Candidates of other directions keep the option `normal`, and have no error of a normal operator.
  const bool convolves = isToeplitz(c.options.normal) && (!c.timed() || c.predictedNormalError > 0);
  if (!convolves) return {"nufft", SweptOver::grid, c.options.alpha};
  const SweptOver over = sweptOver(c.options.normal);
  return {std::string(normalMethodName(c.options.normal)), over,
          over == SweptOver::toeplitzAlpha ? c.options.toeplitzAlpha : 0};
}

}  // namespace spokelab
