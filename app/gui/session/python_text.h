// A result as lines of Python (the package spokelab): the scan read with its decisions or
// simulated, reconstructed with the options that differ from their defaults, written.
#pragma once

#include <map>
#include <string>

#include "engine/recon/options/options.h"

namespace spokelab {

struct ReadOptions;
struct Scan;

// simulation: options that made the scan; empty: it was read. Throws Error if the package cannot
// make the scan: its samples have trajectory, weights or noise in separate files.
std::string pythonFor(const Scan& scan, const ReadOptions& reading,
                      const std::map<std::string, std::string>& simulation, const ReconOptions& options);

// The two halves: "scan = …", and "result = …" that is written to this file.
std::string pythonScan(const Scan& scan, const ReadOptions& reading,
                       const std::map<std::string, std::string>& simulation);
std::string pythonReconstruct(const ReconOptions& options, const std::string& file);

}  // namespace spokelab
