#include "engine/recon/options/solver_options.h"

namespace spokelab {

std::string_view regularizationName(Regularization kind) {
  constexpr std::string_view names[] = {"tikhonov", "roughness", "tv"};
  return names[int(kind)];
}

}  // namespace spokelab
