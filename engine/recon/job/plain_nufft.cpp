#include "engine/recon/job/plain_nufft.h"

namespace spokelab {

// Plain: one NUFFT of all samples, without the time segments of a field. `toeplitz` takes a
// Toeplitz form, and `nufft` the gridded operator if options.normal is automatic. An explicit
// Toeplitz form stays with `nufft`: the transform says that there is no field, and the option how
// its normal operator is applied.
NufftOptions plainNufft(TransformKind kind, NufftOptions options) {
  if (kind == TransformKind::toeplitz && !isToeplitz(options.normal)) options.normal = NormalMethod::toeplitz;
  if (kind == TransformKind::nufft && options.normal == NormalMethod::automatic)
    options.normal = NormalMethod::gridded;
  return options;
}

}  // namespace spokelab
