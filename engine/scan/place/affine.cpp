#include "engine/scan/place/affine.h"

#include <cmath>

namespace spokelab {

Vec3 mapped(const Affine& m, const Vec3& v) {
  Vec3 out{};
  for (std::size_t row = 0; row < 3; ++row)
    out[row] = m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2] + m[row][3];
  return out;
}

std::optional<Affine> inverse(const Affine& m) {
  const auto cofactor = [&m](std::size_t row, std::size_t column) {
    const std::size_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const double determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  if (!std::isfinite(determinant) || determinant == 0) return std::nullopt;
  Affine inverted{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      inverted[row][column] = cofactor(column, row) / determinant;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t d = 0; d < 3; ++d) inverted[row][3] -= inverted[row][d] * m[d][3];
  return inverted;
}

Affine product(const Affine& then, const Affine& first) {
  Affine both{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t d = 0; d < 3; ++d) both[row][column] += then[row][d] * first[d][column];
    both[row][3] += then[row][3];
  }
  return both;
}

}  // namespace spokelab
