#include "engine/recon/options/subspace_options.h"

namespace spokelab {

std::string_view basisNormalName(BasisNormal normal) {
  constexpr std::string_view names[] = {"auto", "frames", "kernels"};
  return names[int(normal)];
}

std::string_view subspaceImagesName(SubspaceImages images) {
  constexpr std::string_view names[] = {"auto", "frames", "coefficients", "maps"};
  return names[int(images)];
}

}  // namespace spokelab
