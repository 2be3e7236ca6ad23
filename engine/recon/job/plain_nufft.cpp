#include "engine/recon/job/plain_nufft.h"

namespace spokelab {

NufftOptions plainNufft(TransformKind kind, NufftOptions options) {
  if (kind == TransformKind::toeplitz && !isToeplitz(options.normal)) options.normal = NormalMethod::toeplitz;
  if (kind == TransformKind::nufft && options.normal == NormalMethod::automatic)
    options.normal = NormalMethod::gridded;
  return options;
}

}  // namespace spokelab
