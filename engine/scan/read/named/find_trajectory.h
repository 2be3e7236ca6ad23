// Finds out which variant of a named trajectory the samples were measured with: all of the family
// are ranked by the self-consistency of the samples near the centre. What mirrors the image (the
// sense in which angles run) or turns it (the first angle) cannot be seen in the samples.
#pragma once

#include <string>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/named/named_points.h"
#include "engine/scan/read/named/self_consistency.h"

namespace spokelab {

// `name` with a variant, shift and readout: those given stay, the others are found and recorded in
// the decisions trajectory-variant, trajectory-readout and trajectory-shift. Throws Error,
// Cancelled.
TrajectoryName findTrajectory(const TrajectoryName& name, const NamedShape& shape, CentreSamples samples,
                              Decisions& d, const Progress& progress);

}  // namespace spokelab
