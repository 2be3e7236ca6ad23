#include "engine/recon/options/gradient_mode.h"

namespace spokelab {

std::string_view gradientModeName(GradientMode mode) {
  return mode == GradientMode::physical ? "physical" : "powergrid-2020";
}

}  // namespace spokelab
