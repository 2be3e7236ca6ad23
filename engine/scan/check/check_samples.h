// The parts of checkScan() that look at samples: readouts and coils that look wrong. Both append
// their findings and throw Cancelled.
#pragma once

#include "engine/scan/check/check_scan.h"

namespace spokelab {

void checkReadouts(const Scan& scan, std::vector<Finding>& findings, const Progress& progress);
void checkCoils(const Scan& scan, std::vector<Finding>& findings, const Progress& progress);

}  // namespace spokelab
