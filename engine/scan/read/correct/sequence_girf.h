// An impulse response (girf.h) on the gradients that a sequence plays, whole and in their own time:
// dephasers, spoilers and the shots before count as well, which the derivative of a trajectory does
// not know.
#pragma once

#include <string>

#include "engine/core/progress.h"
#include "engine/scan/formats/pulseq/pulseq_kspace.h"
#include "engine/scan/read/correct/girf.h"

namespace spokelab {

// Integral of the gradients' deviation up to a time. Throws Error (problem ...), Cancelled.
GradientDeviation girfDeviation(const PulseqSequence& sequence, const Girf& girf, const std::string& problem,
                                const Progress& progress);

}  // namespace spokelab
