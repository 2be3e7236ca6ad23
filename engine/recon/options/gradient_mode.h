// How the gradient of a field map within a voxel is taken (field/field_gradient.h).
#pragma once

#include <string_view>

namespace spokelab {

enum class GradientMode { physical, powerGrid2020 };

std::string_view gradientModeName(GradientMode);  // "physical", "powergrid-2020"

}  // namespace spokelab
