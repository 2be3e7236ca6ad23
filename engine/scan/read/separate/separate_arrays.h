// Plain arrays whose trajectory, weights or noise come from other files, of any format; and
// descriptions whose samples are an ISMRMRD file.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// All throw Error, Cancelled.

// JSON. Its samples, trajectory and noise may be files of any kind.
std::shared_ptr<Scan> readDescription(const std::filesystem::path& file, const ReadOptions& options,
                                      Decisions& d, const Progress& progress);
// A description that is known, of which `separate` replaces parts.
std::shared_ptr<Scan> readWithSeparate(const ScanDescription& description, const std::filesystem::path& file,
                                       const SeparateFiles& separate, Decisions& d, const Progress& progress);
// Samples that are one array, whose axes follow from the trajectory.
std::shared_ptr<Scan> readLoneArray(const std::filesystem::path& file, const SeparateFiles& separate,
                                    Decisions& d, const Progress& progress);

}  // namespace spokelab
