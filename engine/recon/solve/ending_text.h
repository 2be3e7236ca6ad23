// Why the iterations of a reconstruction ended, in words.
#pragma once

#include <string>

#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {

// Empty where the end speaks for itself: tolerance, iterations, and a watcher, who has a reason.
std::string endingText(ConjugateGradientEnd end, double transformError);

}  // namespace spokelab
