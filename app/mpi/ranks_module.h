// The one function of an MPI module, which the program looks up after dlopen(). One module is built
// for each MPI that is found, as their binary interfaces differ: libspokelab_openmpi.so,
// libspokelab_mpich.so.
#pragma once

#include <cstddef>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

// Joins the job for which mpirun or srun started this process and returns its ranks, which the
// caller owns. Call it once in a process. Null: it failed, and `reason` says why.
using SpokelabRanksFunction = Ranks* (*)(char* reason, std::size_t reasonSize);

}  // namespace spokelab
