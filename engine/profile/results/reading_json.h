// The reading of a scan as JSON, for documents that read it again: reports and baselines.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/scan/read/read_options.h"

namespace spokelab {

// Data set, overridden decisions, and the files that belong to the samples (absolute).
nlohmann::json toJson(const ReadOptions& reading);
// The files alone, into and from an object.
void putSeparate(nlohmann::json& json, const SeparateFiles& separate);
SeparateFiles separateOfJson(const nlohmann::json& json);
// Throws nlohmann::json's errors for any other JSON.
ReadOptions readingOfJson(const nlohmann::json& json);

}  // namespace spokelab
