// The maps that a scan and the options give, as far as can be told without reading them.
#pragma once

#include "engine/recon/options/iterative_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

inline constexpr const char* fieldMapArray = "FieldMap";
inline constexpr const char* coilMapArray = "SENSEMap";

// True if there may be a field or an R2* map, or phases of second order.
bool mayHaveField(const Scan& scan, const IterativeOptions& options);
// True if coil maps are estimated from the samples: no file holds them.
bool estimatesMaps(const Scan& scan, const IterativeOptions& options);
// True if the options leave the choice to the scan, and its file has one set of coil maps where two
// are asked for.
bool lacksMapSet(const Scan& scan, const IterativeOptions& options);

}  // namespace spokelab
