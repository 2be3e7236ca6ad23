// The ways to take the gradient of a field map within a voxel (field/field_gradient.h).
#pragma once

#include <string_view>

namespace spokelab {

enum class GradientMode { physical, powerGrid2020 };

std::string_view gradientModeName(GradientMode);  // "physical", "powergrid-2020"

}  // namespace spokelab
