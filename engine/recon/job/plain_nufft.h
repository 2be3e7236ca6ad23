// The options of a NUFFT without a field.
#pragma once

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/path.h"

namespace spokelab {

// For the transforms `nufft` and `toeplitz`: by the normal operator of their name, where the
// options leave it open.
NufftOptions plainNufft(TransformKind kind, NufftOptions options);

}  // namespace spokelab
