// The MPI module's public header: what the program looks up after dlopen(). One module is built for
// each MPI that is found, as their binary interfaces differ: libspokelab_openmpi.so,
// libspokelab_mpich.so.
#pragma once

#include <cstddef>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

// Joins the job that mpirun or srun started this process for, and returns its ranks: owned by the
// caller, once in a process. Null with the reason (zero-terminated) where that cannot be done.
using SpokelabRanksFunction = Ranks* (*)(char* reason, std::size_t reasonSize);

}  // namespace spokelab
