#include "engine/recon/reconstruction.h"

#include <algorithm>
#include <array>

#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 4> originNames = {"", "truth", "file", "psf"};

}  // namespace

std::vector<std::string> lambdaNotes(const IterationRecord& record) {
  std::vector<std::string> notes;
  for (const LambdaChange& change : record.lambdaChanges)
    notes.push_back("lambda " + numberText(change.before) + " -> " + numberText(change.after) +
                    " after iteration " + std::to_string(change.iteration) + " of frame " +
                    std::to_string(record.frame) + ", slice " + std::to_string(record.slice));
  return notes;
}

std::string predictedErrorText(const PlanInfo& plan) {
  return plan.error.relativeL2 > 0 ? numberText(plan.error.relativeL2, 2) : "not predicted";
}

std::string_view resultOriginName(ResultOrigin origin) {
  return originNames[std::size_t(origin)];
}

ResultOrigin resultOriginFromName(std::string_view name) {
  const auto found = std::find(originNames.begin(), originNames.end(), name);
  return found == originNames.end() ? ResultOrigin::reconstructed : ResultOrigin(found - originNames.begin());
}

}  // namespace spokelab
