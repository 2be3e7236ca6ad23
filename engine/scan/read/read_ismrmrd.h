// ISMRMRD HDF5 -> Scan, by the steps of steps/assemble_scan.h.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The decisions stay in `d` until its owner hands them to the scan (readScan).
// Trajectory, weights and noise come from `separate`, where it names files.
std::shared_ptr<Scan> readIsmrmrd(const std::filesystem::path& file, const std::string& dataset,
                                  const SeparateFiles& separate, Decisions& d, const Progress& progress);

// The same from a file that is open, with what it holds beside the acquisitions.
class AcquisitionFile;
std::shared_ptr<Scan> readOpenFile(AcquisitionFile& file, const std::filesystem::path& path,
                                   const SeparateFiles& separate, Decisions& d, const Progress& progress);

// The same from any source of acquisitions, without the arrays beside them. `file` names the scan.
std::shared_ptr<Scan> readAcquisitions(AcquisitionSource& source, const std::filesystem::path& file,
                                       Decisions& d, const Progress& progress);

}  // namespace spokelab
