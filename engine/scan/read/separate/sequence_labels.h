// Counters of a sequence for acquisitions whose own file has none.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/separate/given_trajectory.h"

namespace spokelab {

// LIN, PAR, SLC, AVG, ECO, PHS, REP, SET and SEG become the counters of these acquisitions, which
// are the sequence's shots once or several times, where the file counts nothing; a decision says
// which. The dwell time, too, where the file has none.
void addLabels(const GivenTrajectory& trajectory, const std::vector<std::int64_t>& acquisitions,
               std::vector<AcquisitionHead>& heads, Decisions& d);

}  // namespace spokelab
