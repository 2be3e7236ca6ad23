// A candidate of the tuner in words: a line for titles, rich text for tool tips.
#pragma once

#include <QString>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// "cpu blocked · α 1.25 · W 5.33"
QString candidateTitle(const Candidate& candidate);
// Rich text with times, errors and memory.
QString candidateDetails(const Candidate& candidate);

}  // namespace spokelab
