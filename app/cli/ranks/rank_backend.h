// The backend of each rank: one GPU a rank if every rank has a different GPU, else the CPU.
#pragma once

#include <string>

#include "app/cli/backends.h"
#include "app/cli/ranks/joined_ranks.h"
#include "engine/recon/options/options.h"

namespace spokelab {

// The rank's GPU among options.devices; negative: the machine has more ranks than GPUs.
int deviceOfRank(const LaunchedRanks& launched, int deviceCount, const std::string& devices);

// The same, but ranks share the GPUs in turn. Negative if there is no GPU.
int sharedDeviceOfRank(const LaunchedRanks& launched, int deviceCount, const std::string& devices);

// All ranks call it at the same time, and get the same kind. cpu: this rank's. Throws Error where
// options.backend asks for a GPU and this rank has none; Cancelled.
Backend& rankBackend(Ranks& ranks, const LaunchedRanks& launched, const ReconOptions& options, Backend& cpu,
                     const std::vector<Backend*>& backends, const Progress& progress);

}  // namespace spokelab
