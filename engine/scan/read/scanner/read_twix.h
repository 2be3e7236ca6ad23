// Raw data of a Siemens scanner (twix) -> Scan, by the steps of steps/assemble_scan.h.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Reads the last measurement of the file unless the decision measurement names another. Trajectory,
// weights and noise come from `separate`, where it names files.
std::shared_ptr<Scan> readTwix(const std::filesystem::path& file, const SeparateFiles& separate, Decisions& d,
                               const Progress& progress);

// A Bruker experiment: its folder, or a file in it.
std::shared_ptr<Scan> readBruker(const std::filesystem::path& path, const SeparateFiles& separate,
                                 Decisions& d, const Progress& progress);

}  // namespace spokelab
