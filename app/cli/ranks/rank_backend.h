// What each of several ranks computes on: a GPU each where every rank has one of its own, else the CPU.
#pragma once

#include <string>

#include "app/cli/backends.h"
#include "app/cli/ranks/joined_ranks.h"
#include "engine/recon/options/options.h"

namespace spokelab {

// Which GPU of its machine a rank takes, of those that options.devices names (the default: all); negative: there
// are more ranks on the machine than GPUs.
int deviceOfRank(const LaunchedRanks& launched, int deviceCount, const std::string& devices);

// All ranks call it at the same time, and get the same kind. cpu: this rank's. Throws Error where options.backend
// asks for a GPU and this rank has none; Cancelled.
Backend& rankBackend(Ranks& ranks, const LaunchedRanks& launched, const ReconOptions& options, Backend& cpu,
                     const std::vector<Backend*>& backends, const Progress& progress);

}  // namespace spokelab
