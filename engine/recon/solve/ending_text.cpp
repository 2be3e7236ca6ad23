#include "engine/recon/solve/ending_text.h"

#include "engine/core/text.h"

namespace spokelab {

std::string endingText(ConjugateGradientEnd end, double transformError) {
  switch (end) {
    case ConjugateGradientEnd::settled:
      return "the image hardly changed any more";
    case ConjugateGradientEnd::accuracy:
      return "stopped: the residual is at the transform's accuracy (" + numberText(transformError, 2) +
             "); ask for a smaller accuracy to continue";
    case ConjugateGradientEnd::rounding:
      return "stopped: rounding hides the residual; choose double precision to continue";
    case ConjugateGradientEnd::tolerance:
    case ConjugateGradientEnd::iterations:
    case ConjugateGradientEnd::watcher:
      break;
  }
  return {};
}

}  // namespace spokelab
