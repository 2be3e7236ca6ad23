// The options of a plain NUFFT: one transform of all samples, without the time segments of a field.
#pragma once

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/path.h"

namespace spokelab {

// Fills in options.normal for the transform `toeplitz`, which takes a Toeplitz form, and for
// `nufft`, which takes the gridded operator if options.normal is automatic. An explicit Toeplitz
// form is kept for both: `nufft` says that no field acts, the option how its normal operator is
// applied.
NufftOptions plainNufft(TransformKind kind, NufftOptions options);

}  // namespace spokelab
