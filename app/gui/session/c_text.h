// A result as a program in C (spokelab.h): the scan read with its decisions or simulated,
// reconstructed with the options that differ from their defaults, written.
#pragma once

#include <map>
#include <string>

#include "engine/recon/options/options.h"

namespace spokelab {

struct ReadOptions;
struct Scan;

// simulation: options that made the scan; empty: it was read. Throws Error if the interface cannot
// make the scan: its samples have trajectory, weights or noise in separate files.
std::string cFor(const Scan& scan, const ReadOptions& reading,
                 const std::map<std::string, std::string>& simulation, const ReconOptions& options);

}  // namespace spokelab
