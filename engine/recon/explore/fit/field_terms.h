// Polynomials of the place: the terms of a field of low order.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/core/array.h"

namespace spokelab {

inline constexpr std::array axisNames = {"x", "y", "z"};

// A product of powers of the place in FOV units, as in "x y".
struct FieldTerm {
  std::array<int, 3> powers{};
  double at(const Vec3& r) const;
  std::string name() const;  // "constant", "x", "x y"
};

// All polynomial terms up to an order.
std::vector<FieldTerm> fieldTerms(int order, int dims);

// Places (n_d - floor(N_d / 2)) / N_d of an image's pixels in FOV units, x fastest.
std::vector<Vec3> placesInFov(const Index3& matrix);

}  // namespace spokelab
