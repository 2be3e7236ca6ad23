// Plain arrays and the JSON that describes them (scan_description.h) -> Scan.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Sets counters of the shots; `heads` are [frame][slice][shot] of the arrays.
using CountShots = std::function<void(std::vector<AcquisitionHead>& heads, Decisions& d)>;

// Reads from a known description; `file` names the scan. The description may hold a separate
// trajectory (ArrayPart::memory). `count` is called only if the samples have an axis of whole shots
// and none of partitions; its counters then make frames and slices of shots. Throws Error,
// Cancelled.
struct ScanDescription;
std::shared_ptr<Scan> readDescribed(const ScanDescription& description, const std::filesystem::path& file,
                                    Decisions& d, const Progress& progress, const CountShots& count = {});

std::shared_ptr<Scan> readArrays(const std::filesystem::path& description, Decisions& d,
                                 const Progress& progress);

}  // namespace spokelab
