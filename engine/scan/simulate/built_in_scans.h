// The scans that are built in, by their names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/progress.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {

// 3-D radial spokes, six coils.
inline constexpr std::string_view demoName = "demo";
// A 2-D spiral of two shots in a field, with shot phases and eight coils, for every transform.
inline constexpr std::string_view fieldDemoName = "demo-field";

bool isBuiltIn(std::string_view name);
SimulateOptions builtInOptions(std::string_view name);  // name: a built-in scan's

// Made once, and then kept: < 1 s each. Deterministic. Throws Error for another name; Cancelled.
std::shared_ptr<const Scan> builtInScan(std::string_view name, const Progress& progress = {});

}  // namespace spokelab
