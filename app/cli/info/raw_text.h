// info of a scan's samples: their numbers for people, and readouts and traces as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/context.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab::cli {

void describeRaw(CommandContext& context, const RawSummary& raw);

// The readout at "SHOT,COIL,FRAME,SLICE" (later ones may be missing: 0), with its spectrum, and the
// traces. Throws Error for a place outside the scan.
void describeReadout(CommandContext& context, const Scan& scan, const std::string& place,
                     nlohmann::json& document);

}  // namespace spokelab::cli
