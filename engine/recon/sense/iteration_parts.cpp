#include "engine/recon/sense/iteration_parts.h"

#include <algorithm>
#include <numeric>

#include "engine/core/text.h"

namespace spokelab {

double IterationParts::total() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

IterationParts& IterationParts::operator+=(const IterationParts& other) {
  for (std::size_t i = 0; i < iterationPartCount; ++i) seconds[i] += other.seconds[i];
  multiplyInFft |= other.multiplyInFft;
  return *this;
}

IterationParts IterationParts::over(double count) const {
  IterationParts parts = *this;
  for (double& s : parts.seconds) s /= count;
  return parts;
}

IterationParts partsOf(const SpaceTimes& times, double seconds, bool exact) {
  const StageTimings& stages = times.stages;
  const double transforms = times[SpaceWork::transforms];
  IterationParts parts;
  if (exact) {
    parts[IterationPart::exactSums] = transforms;
  } else {
    parts[IterationPart::interpolation] = stages.interpolation();
    parts[IterationPart::fft] = stages.fft();
    parts[IterationPart::multiply] = stages[Stage::multiply];
    parts[IterationPart::otherStages] =
        std::max(0.0, std::max(transforms, stages.accounted()) - parts.total());
    parts.multiplyInFft = stages.multiplyInFft;
  }
  parts[IterationPart::maps] = times[SpaceWork::maps];
  parts[IterationPart::regularizer] = times[SpaceWork::regularizer];
  parts[IterationPart::rest] = std::max(0.0, seconds - parts.total());
  return parts;
}

std::string_view shownName(const IterationParts& parts, IterationPart part) {
  if (part == IterationPart::fft && parts.multiplyInFft) return "FFT and multiply";
  return iterationPartNames[std::size_t(part)];
}

std::string partsText(const IterationParts& parts) {
  std::string text;
  for (std::size_t i = 0; i < iterationPartCount; ++i) {
    if (!(parts.seconds[i] > 0)) continue;
    text += (text.empty() ? "" : ", ") + std::string(shownName(parts, IterationPart(i))) + ' ' +
            secondsText(parts.seconds[i]);
  }
  return text;
}

}  // namespace spokelab
