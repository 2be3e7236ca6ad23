// A result as lines of Python (the package spokelab): the scan read with its decisions or
// simulated, reconstructed with the options that differ from their defaults, written.
#pragma once

#include <map>
#include <string>

#include "engine/recon/options/options.h"

namespace spokelab {

struct ReadOptions;
struct Scan;

// simulation: options that made the scan; empty: it was read. Throws Error where the package has no
// way to the scan: samples whose trajectory, weights or noise are files of their own.
std::string pythonFor(const Scan& scan, const ReadOptions& reading,
                      const std::map<std::string, std::string>& simulation, const ReconOptions& options);

}  // namespace spokelab
