#include "engine/recon/options/transform_kind.h"

namespace spokelab {

std::string_view transformName(TransformKind kind) {
  constexpr std::string_view names[] = {"nufft", "toeplitz", "gdft", "gdftr2", "segmented", "auto"};
  return names[int(kind)];
}

std::string_view interpolatorName(SegmentInterpolator kind) {
  constexpr std::string_view names[] = {"hanning", "min-max", "svd"};
  return names[int(kind)];
}

std::string_view gradientModeName(GradientMode mode) {
  return mode == GradientMode::physical ? "physical" : "powergrid-2020";
}

}  // namespace spokelab
