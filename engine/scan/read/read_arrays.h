// Plain arrays and the JSON that describes them (scan_description.h) -> Scan.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

std::shared_ptr<Scan> readArrays(const std::filesystem::path& description, Decisions& d,
                                 const Progress& progress);

}  // namespace spokelab
