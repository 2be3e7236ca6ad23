// The ranks that mpirun or srun started this process as one of. MPI is a module that is loaded at
// run time (mpi/ranks_module.h): libspokelab_openmpi.so or libspokelab_mpich.so, beside the
// executable or in ../lib*/spokelab; the environment variable SPOKELAB_MPI_MODULE names another
// file, or is "none".
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

// The launcher's ranks, read from the environment without loading MPI.
struct LaunchedRanks {
  int rank = 0, size = 1;
  std::string module;                // "openmpi", "mpich"
  int localRank = 0, localSize = 1;  // among those on this machine
};
LaunchedRanks launchedRanks(const std::function<const char*(const char*)>& variable);
LaunchedRanks launchedRanks();  // of this process

// Throws Error where the module is missing or MPI cannot be started.
std::unique_ptr<Ranks> joinRanks(const LaunchedRanks& launched);

}  // namespace spokelab
