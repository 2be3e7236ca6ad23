// Plain arrays and the JSON that describes them (scan_description.h) -> Scan.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Reads from a known description; `file` names the scan. The description may hold a separate
// trajectory (ArrayPart::memory).
struct ScanDescription;
std::shared_ptr<Scan> readDescribed(const ScanDescription& description, const std::filesystem::path& file,
                                    Decisions& d, const Progress& progress);

std::shared_ptr<Scan> readArrays(const std::filesystem::path& description, Decisions& d,
                                 const Progress& progress);

}  // namespace spokelab
