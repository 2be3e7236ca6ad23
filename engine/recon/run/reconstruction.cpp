#include "engine/recon/run/reconstruction.h"

#include <algorithm>
#include <array>
#include <cmath>

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

MeanIteration meanIteration(const std::vector<IterationRecord>& records) {
  MeanIteration mean;
  for (const IterationRecord& record : records)
    for (const IterationParts& parts : record.parts) {
      mean.parts += parts;
      ++mean.count;
    }
  if (mean.count > 0) mean.parts = mean.parts.over(double(mean.count));
  return mean;
}

void addNotes(Reconstruction& result, const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
      result.notes.push_back(note);
}

FrameLatency frameLatency(const Reconstruction& result) {
  std::vector<double> seconds = result.frameSeconds;
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    const auto rank = std::size_t(std::ceil(share * double(seconds.size())));
    return seconds[std::max<std::size_t>(rank, 1) - 1];
  };
  return {std::int64_t(seconds.size()), at(0.5), at(0.99), seconds.back()};
}

std::string frameLatencyText(const Reconstruction& result) {
  const FrameLatency l = frameLatency(result);
  if (l.count == 0) return {};
  return secondsText(l.median) + " in the median, " + secondsText(l.p99) + " at 99 %, " +
         secondsText(l.longest) + " at most (" + countText(l.count, "frame") + " after the first)";
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
