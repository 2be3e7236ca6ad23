#include "engine/recon/sense/iteration_parts.h"

#include <numeric>

#include "engine/core/text.h"

namespace spokelab {

double IterationParts::total() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

IterationParts& IterationParts::operator+=(const IterationParts& other) {
  for (std::size_t i = 0; i < iterationPartCount; ++i) seconds[i] += other.seconds[i];
  return *this;
}

IterationParts IterationParts::over(double count) const {
  IterationParts parts = *this;
  for (double& s : parts.seconds) s /= count;
  return parts;
}

std::string partsText(const IterationParts& parts) {
  std::string text;
  for (std::size_t i = 0; i < iterationPartCount; ++i) {
    if (!(parts.seconds[i] > 0)) continue;
    text +=
        (text.empty() ? "" : ", ") + std::string(iterationPartNames[i]) + ' ' + secondsText(parts.seconds[i]);
  }
  return text;
}

}  // namespace spokelab
