// Counters of a sequence for acquisitions whose own file has none.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

// Sets counters of these acquisitions by the labels LIN, PAR, SLC, AVG, ECO, PHS, REP, SET and SEG.
// The acquisitions are the sequence's shots, once or several times in a row. A counter that has
// another value than 0 in the file is not changed. The decision labels lists the counters that are
// set. Missing dwell times are set, too.
void addLabels(const GivenTrajectory& trajectory, const std::vector<std::int64_t>& acquisitions,
               std::vector<AcquisitionHead>& heads, Decisions& d);

}  // namespace spokelab
