// A trajectory that is known by its name, made for the samples of a scan.
#pragma once

#include <functional>
#include <string>

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/named/find_trajectory.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

// `text`: trajectory_name.h. `samples` is called if the text has no variant, or if the decision
// trajectory-shift is given.
// `unit`: the unit of the points, "cycles/FOV" or, if the encoded field of view is not the image's,
// "cycles/encoded-FOV". Throws Error, Cancelled.
GivenTrajectory namedTrajectory(const std::string& text, const NamedShape& shape, const std::string& unit,
                                const std::function<CentreSamples()>& samples, Decisions& d,
                                const Progress& progress);

}  // namespace spokelab
