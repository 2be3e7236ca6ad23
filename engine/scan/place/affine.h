// Affines between pixel numbers and positions: rows of a 3x4 matrix, applied to (x, y, z, 1).
#pragma once

#include <array>
#include <optional>

#include "engine/core/array.h"

namespace spokelab {

using Affine = std::array<std::array<double, 4>, 3>;

Vec3 mapped(const Affine& m, const Vec3& v);
// Empty where the columns do not span space.
std::optional<Affine> inverse(const Affine& m);
// First `first`, then `then`.
Affine product(const Affine& then, const Affine& first);

}  // namespace spokelab
